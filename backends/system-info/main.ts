import { defineTool } from '../kit/definition.js';
import { serve } from '../kit/serve.js';
import { readSystemFacts } from './system.js';

const systemInformation = defineTool({
  name: 'informacion_sistema',
  title: 'Información del sistema',
  description:
    'Dice en qué sistema operativo, versión de Node.js, plataforma y directorio de trabajo se ejecuta este ' +
    'servidor. No revela variables de entorno, credenciales ni archivos.',
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  outputSchema: {
    type: 'object',
    properties: {
      sistema_operativo: { type: 'string', description: 'Nombre y versión del sistema operativo' },
      version_runtime: { type: 'string', description: 'Versión de Node.js' },
      plataforma: { type: 'string', description: 'Plataforma y arquitectura del procesador' },
      directorio_trabajo: { type: 'string', description: 'Directorio de trabajo del servidor' },
    },
    required: ['sistema_operativo', 'version_runtime', 'plataforma', 'directorio_trabajo'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: false },
  handler() {
    const facts = readSystemFacts();
    return {
      structured: {
        sistema_operativo: facts.operatingSystem,
        version_runtime: facts.runtime,
        plataforma: facts.platform,
        directorio_trabajo: facts.workingDirectory,
      },
    };
  },
});

serve({
  name: 'system-info',
  title: 'Información del sistema',
  version: '1.0.0',
  tools: [systemInformation],
});
