import { writeFileSync } from 'node:fs';
import { configSchema } from './schema.js';

/** Run from the repository's root by `npm run schema`. */
const FILE = 'config/gateway.schema.json';

writeFileSync(FILE, `${JSON.stringify(configSchema(), null, 2)}\n`);
