import type { Scene } from '../server-under-test.js';

const uri = 'memory://knowledge-graph';
const updated = 'notifications/resources/updated';

export const memoryScenes: readonly Scene[] = [
  {
    title: 'a subscriber hears of a write, and no longer after unsubscribing',
    async play(talk) {
      await talk.ask('resources/subscribe', { uri });
      await talk.call('create_entities', {
        entities: [{ name: 'new', entityType: 'thing', observations: [] }],
      });
      await talk.tape.until('an update', (event) => 'notice' in event && event.notice === updated);
      await talk.ask('resources/unsubscribe', { uri });
      await talk.call('delete_entities', { entityNames: ['new'] });
      await talk.ask('resources/read', { uri });
    },
  },
];
