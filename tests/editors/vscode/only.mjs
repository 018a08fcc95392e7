import { check, command, diagnosticsAppear, leave } from "./window.mjs";
await check("diagnostics", async () => { await diagnosticsAppear(60000); await command("View: Toggle Panel Visibility"); });
await import("./panels.mjs");
await leave();
