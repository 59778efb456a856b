"""A headless Chromium, driven over its debugging pipe: no driver and no package is needed."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
PATIENCE = 120.0
_FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync "
    "--disable-background-networking --disable-component-update --disable-dev-shm-usage "
    "--hide-scrollbars --remote-debugging-pipe"
).split()

# It reads commands from descriptor 3 and writes answers to 4.
_START = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3]]
for end, wanted in zip(ends, (3, 4)):
    os.dup2(end, wanted)
os.execv(sys.argv[3], sys.argv[3:])
"""

_CONTRAST = """(() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgb = (color) => {
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (color) => {
    const [r, g, b] = rgb(color).map((it) => it / 255)
      .map((it) => (it <= 0.04045 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (it) => {
    for (; it; it = it.parentElement) {
      const color = getComputedStyle(it).backgroundColor;
      if (color !== "rgba(0, 0, 0, 0)") return color;
    }
    return "white";
  };
  const ink = (it) => getComputedStyle(it)[it instanceof SVGElement ? "fill" : "color"];
  return [...document.querySelectorAll("body *")]
    .filter((it) => it.checkVisibility())
    .filter((it) => [...it.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .filter((it) => it.localName !== "title")
    .map((it) => {
      const [a, b] = [light(ink(it)), light(behind(it))].sort((x, y) => y - x);
      return [(a + 0.05) / (b + 0.05), it.outerHTML.slice(0, 80)];
    })
    .filter(([ratio]) => ratio < 4.5);
})()"""


class WentAway(AssertionError):
    """The page that was asked has given way to another one meanwhile."""


_WENT_AWAY = ("navigated or closed", "context was destroyed", "Cannot find context")


class Browser:
    """One browser with one page.

    Args:
        profile: An empty folder for its profile.

    Attributes:
        messages: What the page logged, and the errors it had.
        requests: The addresses that it asked for.
    """

    def __init__(self, profile: Path) -> None:
        assert CHROMIUM is not None
        self.messages: list[str] = []
        self.requests: list[str] = []
        self._sent = 0
        self._buffer = b""
        self._profile = profile
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        ends = (theirs_in, theirs_out)
        browser = (CHROMIUM, *_FLAGS, f"--user-data-dir={profile}")
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, *map(str, ends), *browser],
            pass_fds=ends,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(profile)},
            start_new_session=True,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._session: str | None = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """A command of the debugging protocol, and its result."""
        self._sent += 1
        number = self._sent
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == number:
                if "error" in answer:
                    reason = answer["error"]["message"]
                    went_away = any(words in reason for words in _WENT_AWAY)
                    raise (WentAway if went_away else AssertionError)(f"{method}: {reason}")
                result: dict[str, Any] = answer["result"]
                return result

    def run(self, script: str) -> Any:
        """The value of an expression in the page; promises are awaited."""
        answer = self.call(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def open(self, address: str) -> None:
        """Goes to an address, and waits until its scripts have run."""
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)
        self.until(f"location.href.startsWith({address.partition('#')[0]!r})")
        self.until("document.readyState === 'complete'")

    def until(self, script: str) -> Any:
        """Waits until an expression is true, and returns its value."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with contextlib.suppress(WentAway):
                if value := self.run(script):
                    return value
            time.sleep(0.02)
        raise AssertionError(f"never true: {script}; {self.messages}")

    def text(self, selector: str) -> str:
        """The text of an element, as it is shown."""
        shown: str = self.run(f"document.querySelector({selector!r}).innerText")
        return shown

    def write(self, selector: str, text: str) -> None:
        """Puts a text into a field, as by typing."""
        self.run(f"document.querySelector({selector!r}).focus()")
        self.run(f"document.querySelector({selector!r}).value = ''")
        if text:
            self.call("Input.insertText", text=text)

    def press(self, key: str, modifiers: int = 0) -> None:
        """A key, with 2 for Ctrl or 8 for Shift."""
        codes = {"Tab": 9, "Enter": 13, " ": 32}
        common = {
            "key": key,
            "modifiers": modifiers,
            "windowsVirtualKeyCode": codes[key],
            "code": "Space" if key == " " else key,
        }
        typed = {"Enter": "\r", " ": " "}.get(key)
        down = common | ({"text": typed} if typed else {})
        self.call("Input.dispatchKeyEvent", type="keyDown", **down)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def look(self, scheme: str, width: int, height: int = 900) -> None:
        """Chooses light or dark, and the size of the window."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", features=features)
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 500,
        )

    def faint_texts(self) -> list[Any]:
        """Texts whose contrast to what is behind them is below 4.5, with their contrast."""
        found: list[Any] = self.run(_CONTRAST)
        return found

    def screenshot(self, path: Path) -> None:
        """The whole page as a picture."""
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(shot["data"]))

    def close(self) -> None:
        """Ends the browser."""
        self._session = None
        os.write(self._out, json.dumps({"id": 0, "method": "Browser.close"}).encode() + b"\0")
        try:
            self._process.wait(PATIENCE)
        finally:
            if self._process.poll() is None:
                os.killpg(self._process.pid, 9)
                self._process.wait()
            os.close(self._out)
            os.close(self._in)

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], PATIENCE)
            assert ready, "the browser does not answer"
            chunk = os.read(self._in, 1 << 20)
            assert chunk, "the browser has ended"
            self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        self._note(message)
        return message

    def _note(self, message: dict[str, Any]) -> None:
        found = message.get("params", {})
        match message.get("method"):
            case "Runtime.exceptionThrown":
                self.messages.append(str(found["exceptionDetails"]))
            case "Runtime.consoleAPICalled":
                self.messages.append(str(found["args"]))
            case "Log.entryAdded" if found["entry"]["source"] != "network":  # a 422 is no fault
                self.messages.append(found["entry"]["text"])
            case "Network.requestWillBeSent":
                self.requests.append(found["request"]["url"])
