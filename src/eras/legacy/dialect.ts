import { preparedToClient, resultToClient } from '../../protocol/compose.js';
import type { Dialect } from '../dialect.js';

const openBrace = Buffer.from('{');

/** Legacy results are what they are, with nothing around. */
export const legacyDialect: Dialect = {
  result: (idText, result) => resultToClient(idText, JSON.stringify(result)),
  page: (idText, members) => preparedToClient(idText, [openBrace, members]),
  unknownResource: 'resourceNotFound',
};
