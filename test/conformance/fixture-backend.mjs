/** The fixture as a backend on stdin and stdout, in whichever era it is spoken to. */
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createFixture } from './fixture/server.mjs';
import { withTasks } from './fixture/task-layer.mjs';

serveStdio(createFixture, {
  transport: withTasks(new StdioServerTransport()),
  onerror: (error) => console.error(error.message),
});
