"""usage: slow_model.py QUOTATION    a model behind an address that says one sentence and then thinks for ever

Speaks as much of OpenAI's chat completions as lexls asks for, on a port of this machine that it prints
first. Its one sentence rests on QUOTATION, which it finds among the passages of the prompt; the end of its
answer never comes. It prints "asked" for each question, and "hung up" when nobody wants the answer any more.
"""

import json
import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

QUOTATION = sys.argv[1]
PATIENCE_SECONDS = 120.0


class SlowModel(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        print("asked", flush=True)
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = " ".join(body["messages"][-1]["content"].split())
        before = prompt[: prompt.index(QUOTATION)]
        passage = re.findall(r"(P\d+) begins", before)[-1]
        evidence = {"passage": passage, "quotation": QUOTATION}
        claim = json.dumps({"evidence": [evidence], "sentence": QUOTATION}, ensure_ascii=False)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        try:
            self._say(f'{{"answer":[{claim},')
            end = time.monotonic() + PATIENCE_SECONDS
            while time.monotonic() < end:
                self._say(" ")
                time.sleep(0.1)
        except OSError:
            print("hung up", flush=True)

    def _say(self, text: str) -> None:
        chunk = {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": None}]}
        self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
        self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), SlowModel)
    print(server.server_address[1], flush=True)
    server.serve_forever()
