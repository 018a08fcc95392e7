// usage: node installing.mjs URL WORKSPACE OUT   there is no lexls yet; the extension offers to install it
import { check, command, diagnosticsAppear, leave, page, plain, until } from "./window.mjs";

await check("lexls is missing and offered", async () => {
  // In the centre, where it stays: a toast may have come and gone while the window was still opening.
  const offer = page.locator(".notifications-center", { hasText: "lexls is not installed" });
  await until("the offer", async () => { // the centre does not open while it is empty
    await command("Notifications: Show Notifications");
    return offer.waitFor({ timeout: 3000 }).then(() => true, () => false);
  }, 60_000);
});

await check("it is installed and started", async () => {
  await command("Notifications: Show Notifications");
  await page.locator(".notifications-center .monaco-button", { hasText: "Install" }).first().click();
  await diagnosticsAppear(240_000);
});

await check("the status names the environment", async () => {
  await command("lexls: Show Status");
  await page.locator(".tab", { hasText: "Status" }).waitFor();
  const text = page.frameLocator("iframe.webview").frameLocator("iframe").locator("body");
  await until("the managed environment", async () => plain(await text.innerText()).includes("from the managed environment"));
});

await leave();
