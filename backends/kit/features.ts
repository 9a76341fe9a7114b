import type { JsonObject } from '../../src/protocol/json.js';
import { completionFeature } from './completion.js';
import type { Feature } from './feature.js';
import { promptFeature } from './prompts.js';
import { resourceFeature } from './resources.js';
import type { ServerDefinition } from './server-definition.js';
import { toolFeature } from './tools.js';

/** All that a definition has, as one. Throws when two tools, prompts or templates have one name. */
export function featuresOf({ tools, resources, prompts }: ServerDefinition): Feature {
  const features = [
    ...(tools === undefined ? [] : [toolFeature(tools)]),
    ...(resources === undefined ? [] : [resourceFeature(resources)]),
    ...(prompts === undefined ? [] : [promptFeature(prompts)]),
    ...completionFeature(prompts ?? [], resources?.templates ?? []),
  ];
  const capabilities: JsonObject = Object.assign({}, ...features.map((feature) => feature.capabilities));
  return { capabilities, methods: new Map(features.flatMap(({ methods }) => [...methods])) };
}
