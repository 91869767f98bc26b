import { z } from 'zod'
import { alertMessageSchema } from '../../../features/alerts/alert-outbox.ts'
import { exampleOf } from './examples.ts'

const headers = {
  'webhook-id': ['Identifies the message; the same in each try.', 'e7f8a9b0-1c2d-5e3f-8a4b-5c6d7e8f9072'],
  'webhook-timestamp': ['When this try was made, in seconds since 1970.', '1795339992'],
  'webhook-signature': [
    '`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64, with the secret of the workspace.',
    'v1,n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=',
  ],
} as const

const example = {
  type: 'alert.raised',
  timestamp: '2026-11-22T09:33:12.000Z',
  data: {
    workspaceId: '4a5b6c7d-8e9f-4a0b-9c1d-2e3f4a5b6c81',
    id: 'e7f8a9b0-1c2d-5e3f-8a4b-5c6d7e8f9071',
    kind: 'WRAP_UP',
    subjectId: '5f0c6f0e-6a1c-4b7e-9a53-2f7f1f0f7a11',
    value: 12,
    threshold: 10,
    raisedAt: '2026-11-22T09:33:12.000Z',
    clearedAt: null,
  },
} satisfies z.input<typeof alertMessageSchema>

const reference = { $ref: '#/components/schemas/AlertMessage' }

/** Schemas for the document's components: openapi-generator does not know nullable fields that are written in a webhook itself. */
export function webhookSchemas() {
  const { $schema: _, ...schema } = z.toJSONSchema(alertMessageSchema, {
    override: ({ jsonSchema: part, path }) => {
      if (part.format !== undefined) delete part.pattern
      if (part.type === 'string' && part.enum === undefined)
        part.examples = [exampleOf({ format: part.format, name: nameIn(path), within: 'Alert' }) ?? '']
    },
  })
  return { AlertMessage: schema }
}

/** What the service sends to an address that a workspace has named. */
export function webhookPaths() {
  return {
    alert: {
      post: {
        operationId: 'receiveAlert',
        // It is sent, not received, and openapi-generator makes invalid Python of it: generators leave out what is marked so.
        'x-internal': true,
        tags: ['alerts'],
        summary: 'An alert was raised or cleared',
        description:
          'Sent to `alerts.webhook.url` of the configuration, in the form of Standard Webhooks (https://www.standardwebhooks.com).',
        security: [],
        parameters: Object.entries(headers).map(([name, [description, one]]) => ({
          name,
          in: 'header',
          required: true,
          description,
          schema: { type: 'string', examples: [one] },
        })),
        requestBody: { required: true, content: { 'application/json': { schema: reference, example } } },
        responses: { '2XX': { description: 'Accepted. After any other answer it is sent again, for a day.' } },
      },
    },
  }
}

function nameIn(path: readonly (string | number)[]): string {
  return String(path.findLast((_, index) => path[index - 1] === 'properties') ?? '')
}
