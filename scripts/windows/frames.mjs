// What the bridge and the launcher say to each other over one socket: frames of a kind, a length and bytes.

export const START = 0;
export const STDIN = 1;
export const STDIN_END = 2;
export const KILL = 3;
export const STDOUT = 4;
export const STDERR = 5;
export const EXIT = 6;
export const STDOUT_GONE = 7;

export function sendFrame(socket, kind, content = "") {
  const bytes = Buffer.from(content);
  const head = Buffer.alloc(5);
  head.writeUInt8(kind, 0);
  head.writeUInt32LE(bytes.length, 1);
  socket.write(Buffer.concat([head, bytes]));
}

/** Calls back for each frame, whatever the pieces in which its bytes arrive. */
export function readFrames(socket, onFrame) {
  let rest = Buffer.alloc(0);
  socket.on("data", (piece) => {
    rest = Buffer.concat([rest, piece]);
    while (rest.length >= 5) {
      const end = 5 + rest.readUInt32LE(1);
      if (rest.length < end) return;
      const [kind, content] = [rest.readUInt8(0), rest.subarray(5, end)];
      rest = rest.subarray(end);
      onFrame(kind, content);
    }
  });
}
