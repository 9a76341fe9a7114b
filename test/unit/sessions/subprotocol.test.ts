import { describe, expect, it } from 'vitest';
import { chooseSubprotocol } from '../../../src/sessions/subprotocol.js';

describe('chooseSubprotocol', () => {
  it.each(['mcp', 'foo, mcp', 'mcp, bearer.dG9rZW4', 'bearer.dG9rZW4,mcp', ' mcp ,', 'mcp, mcp'])(
    'chooses mcp from "%s"',
    (header) => {
      expect(chooseSubprotocol(header)).toEqual({ kind: 'accepted', chosen: 'mcp' });
    },
  );

  it.each([undefined, '', ' , '])('chooses nothing when nothing is offered (%j)', (header) => {
    expect(chooseSubprotocol(header)).toEqual({ kind: 'accepted', chosen: undefined });
  });

  it.each(['foo', 'MCP', 'mcp2', 'bearer.dG9rZW4', 'foo, mcp.version.2025-06-18'])(
    'knows nothing of "%s"',
    (header) => {
      expect(chooseSubprotocol(header)).toEqual({ kind: 'unknown' });
    },
  );
});
