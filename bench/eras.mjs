/** How a backend speaks: after a handshake, or request by request. @typedef {'legacy' | 'modern'} Era */

/**
 * How a client speaks. `verbose` is legacy with a `_meta` in every request that has the length and the shape of a
 * modern one's and means nothing: what it costs more than `legacy` is the price of longer messages.
 * @typedef {Era | 'verbose'} ClientKind
 */

/** What the client of the bench says of itself, in either era. */
const clientInfo = { name: 'bench', version: '1' };
const capabilities = { sampling: {}, elicitation: {} };

export const handshakeParams = { protocolVersion: '2025-06-18', capabilities, clientInfo };

/** What goes with every request, about 200 bytes. */
const requestMetas = {
  legacy: undefined,
  verbose: metaUnder('org.example.of.protocol/'),
  modern: metaUnder('io.modelcontextprotocol/'),
};

/** @param {string} prefix */
function metaUnder(prefix) {
  return {
    [`${prefix}protocolVersion`]: '2026-07-28',
    [`${prefix}clientInfo`]: clientInfo,
    [`${prefix}clientCapabilities`]: capabilities,
  };
}

/**
 * The parameters of a request as such a client sends them.
 * @param {ClientKind} kind
 * @param {object} params
 */
export function paramsOf(kind, params) {
  const meta = requestMetas[kind];
  return meta === undefined ? params : { _meta: meta, ...params };
}
