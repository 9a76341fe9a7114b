import { defineTool, ToolError } from '../kit/definition.js';
import { serve } from '../kit/serve.js';
import { statisticsOf } from './statistics.js';
import { countText } from './text.js';

const pure = { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: false };

const analyseText = defineTool({
  name: 'analizar_texto',
  title: 'Analizar texto',
  description:
    'Cuenta los caracteres, las palabras y las líneas de un texto y lo devuelve en mayúsculas y en minúsculas.',
  inputSchema: {
    type: 'object',
    properties: { texto: { type: 'string', description: 'El texto que se analiza; puede estar vacío' } },
    required: ['texto'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      caracteres: { type: 'integer', description: 'Número de puntos de código Unicode' },
      palabras: { type: 'integer', description: 'Número de palabras, separadas por espacio en blanco' },
      lineas: { type: 'integer', description: 'Número de líneas; un salto de línea final no abre otra' },
      mayusculas: { type: 'string', description: 'El texto en mayúsculas' },
      minusculas: { type: 'string', description: 'El texto en minúsculas' },
    },
    required: ['caracteres', 'palabras', 'lineas', 'mayusculas', 'minusculas'],
    additionalProperties: false,
  },
  annotations: pure,
  handler({ texto }) {
    const { characters, words, lines } = countText(texto);
    return {
      structured: {
        caracteres: characters,
        palabras: words,
        lineas: lines,
        mayusculas: texto.toUpperCase(),
        minusculas: texto.toLowerCase(),
      },
    };
  },
});

const calculateStatistics = defineTool({
  name: 'calcular_estadisticas',
  title: 'Calcular estadísticas',
  description:
    'Calcula la cantidad, la suma, la media, el mínimo y el máximo de una lista de números. La suma es exacta ' +
    'hasta el último redondeo: diez veces 0.1 es 1.',
  inputSchema: {
    type: 'object',
    properties: {
      numeros: {
        type: 'array',
        items: { type: 'number' },
        minItems: 1,
        description: 'Los números, al menos uno, todos finitos',
      },
    },
    required: ['numeros'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      cantidad: { type: 'integer', description: 'Cuántos números hay' },
      suma: { type: 'number', description: 'La suma' },
      media: { type: 'number', description: 'La media aritmética' },
      minimo: { type: 'number', description: 'El menor' },
      maximo: { type: 'number', description: 'El mayor' },
    },
    required: ['cantidad', 'suma', 'media', 'minimo', 'maximo'],
    additionalProperties: false,
  },
  annotations: pure,
  handler({ numeros }) {
    const { count, sum, mean, minimum, maximum } = statisticsOf(numeros);
    if (!Number.isFinite(sum)) {
      throw new ToolError(
        `la suma de los ${count} números es demasiado grande: pasa de ±${Number.MAX_VALUE}; usa números menores`,
      );
    }
    return { structured: { cantidad: count, suma: sum, media: mean, minimo: minimum, maximo: maximum } };
  },
});

serve({
  name: 'text-stats',
  title: 'Estadísticas de textos y números',
  version: '1.0.0',
  tools: [analyseText, calculateStatistics],
});
