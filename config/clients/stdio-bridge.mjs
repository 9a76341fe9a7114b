// Lets a client that speaks only stdio use the gateway: a line on stdin becomes a WebSocket message, and back.
//   node stdio-bridge.mjs ws://127.0.0.1:8808/mcp
import { WebSocket } from 'ws';

const [url = 'ws://127.0.0.1:8808/mcp'] = process.argv.slice(2);
const socket = new WebSocket(url, 'mcp');

socket.on('open', () => {
  let rest = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) if (line.trim() !== '') socket.send(line);
  });
  process.stdin.on('end', () => socket.close(1000));
});

// A message may hold line breaks between its JSON tokens, where they mean nothing; a line must not.
socket.on('message', (data) => process.stdout.write(`${data.toString('utf8').replace(/[\r\n]+/g, ' ')}\n`));

socket.on('error', (error) => process.stderr.write(`cannot use ${url}: ${error.message}\n`));
socket.on('close', (code, reason) => {
  if (code !== 1000) process.stderr.write(`${url} closed with code ${code} ${reason}\n`);
  process.exit(code === 1000 ? 0 : 1);
});

// The client has gone.
process.stdout.on('error', () => process.exit(0));
