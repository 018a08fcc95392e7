/** Runs a program to its end, its output in the log. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { CancellationToken, LogOutputChannel } from "vscode";

/** Throws an Error when the program cannot be started, fails or is cancelled; its last line is in the message. `hear` is told each line. */
export function runLogged(
  command: string,
  args: readonly string[],
  cwd: string,
  log: LogOutputChannel,
  token: CancellationToken,
  hear: (line: string) => void = () => {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    log.info(`Running ${[command, ...args].join(" ")}`);
    const child = spawn(command, [...args], { cwd, windowsHide: true, stdio: ["ignore", "pipe", "pipe"] });
    const cancel = token.onCancellationRequested(() => child.kill());
    let last = "";
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on("line", line => {
        last = line.trim() || last;
        log.info(line);
        hear(line);
      });
    }
    child.on("error", reject);
    child.on("close", code => {
      cancel.dispose();
      if (token.isCancellationRequested) {
        reject(new Error("cancelled"));
      } else if (code === 0) {
        resolve();
      } else {
        reject(new Error(`${last || command} (exit status ${code})`));
      }
    });
  });
}
