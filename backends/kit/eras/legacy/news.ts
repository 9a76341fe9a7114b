import { findResource, uriOf } from '../../find-resource.js';
import type { Method, Notify } from '../../method.js';
import type { ResourceObserver, Resources } from '../../resource-definition.js';
import { Subscriptions } from '../../subscriptions.js';

/** What the client hears unasked: it subscribes to single resources, and hears of the list in any case. */
export class LegacyNews {
  /** None when nothing is watched. */
  readonly methods: ReadonlyMap<string, Method>;
  readonly observer: ResourceObserver;
  /** Whether the client has finished the handshake; before that it is told no news. */
  #open = false;

  constructor(watched: Resources | undefined, notify: Notify) {
    const subscriptions = new Subscriptions();
    this.methods = watched === undefined ? new Map() : methodsOf(watched, subscriptions);
    this.observer = {
      updated: (listedUri) => {
        if (!this.#open) return;
        for (const uri of subscriptions.of(listedUri)) notify('notifications/resources/updated', { uri });
      },
      listChanged: () => {
        if (this.#open) notify('notifications/resources/list_changed');
      },
    };
  }

  open(): void {
    this.#open = true;
  }
}

function methodsOf(resources: Resources, subscriptions: Subscriptions): ReadonlyMap<string, Method> {
  return new Map<string, Method>([
    [
      'resources/subscribe',
      async (params) => {
        const uri = uriOf(params);
        subscriptions.add(uri, (await findResource(resources, uri)).uri);
        return {};
      },
    ],
    [
      'resources/unsubscribe',
      (params) => {
        subscriptions.delete(uriOf(params));
        return {};
      },
    ],
  ]);
}
