import { stringAt } from '../protocol/envelope.js';
import type { ResponseMessage } from '../protocol/message.js';
import type { Edit } from '../protocol/splice.js';
import { uriSpans } from '../protocol/uri-spans.js';
import type { Call } from './lane.js';
import type { Reach } from './reach.js';
import { replace } from './rewrite.js';
import { MatchBudget } from './uris.js';

/** The URIs in results: shown as the session sees them, and remembered as leading to their backend. */
export class ResultUris {
  readonly #reach: Reach;

  constructor(reach: Reach) {
    this.#reach = reach;
  }

  edits(call: Call, { bytes, outcome, value }: ResponseMessage): readonly Edit[] {
    const { lane } = call;
    const rules = call.rule.result;
    if (rules === undefined || outcome !== 'result' || value === undefined) return [];
    // Without resources there is nothing that a URI could be read from, or be taken for.
    const { state } = lane.port;
    if (state.kind !== 'ready' || state.peer.capabilities.resources === undefined) return [];
    const budget = new MatchBudget();
    return uriSpans(bytes, value, rules).flatMap((span) => {
      const uri = stringAt(bytes, span) ?? '';
      const shown = this.#reach.shownUri(call.session, lane, uri, budget);
      if (shown === uri) this.#reach.links.add(lane, uri);
      return shown === uri ? [] : [replace(span, JSON.stringify(shown))];
    });
  }
}
