#!/usr/bin/env node
import { check } from './command-line/check.js';
import { exitCodes } from './command-line/exit-codes.js';
import { HELP } from './command-line/help.js';
import { type Command, parseCommandLine } from './command-line/parse.js';
import { print } from './command-line/print.js';
import { report } from './command-line/report.js';
import { loadSettings } from './config/load.js';
import { assertNever } from './shared/assert-never.js';
import { product } from './shared/product.js';

try {
  process.exitCode = await run(parseCommandLine(process.argv.slice(2)));
} catch (error) {
  process.exitCode = report(error);
}

/** @returns the exit code */
async function run(command: Command): Promise<number> {
  switch (command.kind) {
    case 'serve': {
      const { serve } = await import('./command-line/serve.js');
      return serve(loadSettings(command.config, { env: process.env, overrides: command.overrides }));
    }
    case 'tools': {
      const { printTools } = await import('./command-line/print-tools.js');
      return printTools(loadSettings(command.config, { env: process.env }));
    }
    case 'check':
      return check(loadSettings(command.config, { env: process.env }));
    case 'help':
      await print([HELP]);
      return exitCodes.clean;
    case 'version':
      await print([`${product.name} ${product.version}`]);
      return exitCodes.clean;
    default:
      return assertNever(command);
  }
}
