/** What the gateway calls itself, towards clients, backends and on the command line. */
export const product = { name: 'mcp-switchboard', version: '0.1.0' } as const;
