/** How a client or a backend speaks: after a handshake, or with all that is needed in every request. */
export const ERAS = /** @type {const} */ (['legacy', 'modern']);

/** @typedef {typeof ERAS[number]} Era */

/** What the client of the bench says of itself, in either era. */
const clientInfo = { name: 'bench', version: '1' };
const capabilities = { sampling: {}, elicitation: {} };

export const handshakeParams = { protocolVersion: '2025-06-18', capabilities, clientInfo };

/** What goes with every request of a modern client; about 200 bytes. */
const requestMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': capabilities,
};

/**
 * The parameters of a request as a client of that era sends them.
 * @param {Era} era
 * @param {object} params
 */
export function paramsIn(era, params) {
  return era === 'modern' ? { _meta: requestMeta, ...params } : params;
}
