import { writeFileSync } from 'node:fs';
import { configExample } from './example.js';
import { configSchema } from './schema.js';

// Run from the repository's root by `npm run schema`.
writeFileSync('config/gateway.schema.json', `${JSON.stringify(configSchema(), null, 2)}\n`);
writeFileSync('config/example.jsonc', configExample());
