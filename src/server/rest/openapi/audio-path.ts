import type { OpenApiOperation } from './operation.ts'
import { type Answer, refusalAnswers } from './refusals.ts'

const audio: Answer['content'] = { 'audio/*': { schema: { type: 'string', format: 'binary' } } }

const playRecording: OpenApiOperation = {
  operationId: 'recordingAudio',
  tags: ['recordings'],
  summary: "The audio of a call's recording, whole or in part",
  description:
    'Streams the recording with the type that the provider gave it (`application/octet-stream` if that is no audio). The path needs the token, so fetch it in the page instead of naming it in an `<audio>` tag. Requires the role USER.',
  parameters: [
    {
      name: 'callId',
      in: 'path',
      required: true,
      description: "ID of the call's record (UUID), or its UCID.",
      schema: { type: 'string', examples: ['7c1d2b34-9e0f-4a56-8b7c-1d2e3f4a5b31'] },
    },
    {
      name: 'Range',
      in: 'header',
      required: false,
      description: 'One range of bytes. Several ranges and other units are ignored.',
      schema: { type: 'string', examples: ['bytes=0-65535'] },
    },
  ],
  responses: {
    200: { description: 'The whole recording', content: audio },
    206: { description: 'The range', content: audio },
    416: { description: 'The recording has no such range', content: {} },
    ...refusalAnswers([
      'TOKEN_MISSING',
      'TOKEN_REFUSED',
      'NOT_FOUND',
      'NOT_YOURS',
      'NOT_CONFIGURED',
      'PROVIDER_REFUSED',
      'PROVIDER_UNAVAILABLE',
      'STORE_UNAVAILABLE',
    ]),
  },
}

/** The paths that answer with something else than JSON, and run no GraphQL operation. */
export const audioPaths = { '/api/recordings/{callId}/audio': { get: playRecording } }
