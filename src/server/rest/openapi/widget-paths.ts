import { AppError, type ErrorReason } from '../../../kernel/errors.ts'
import { statusOf } from '../../http/problem.ts'
import type { JsonSchema } from './json-schema.ts'
import type { OpenApiOperation } from './operation.ts'
import type { Parameter } from './request.ts'
import type { Answer } from './refusals.ts'

const ofEveryVisit: readonly ErrorReason[] = ['WIDGET_KEY_REFUSED', 'ORIGIN_REFUSED', 'TOO_MANY_TRIES', 'STORE_UNAVAILABLE']
const problem = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }

/** The widget's public paths. They have no row: no GraphQL operation stands behind them. */
export const widgetPaths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>> = {
  '/api/widget/config': {
    get: operation('widgetConfig', {
      summary: 'What a page needs to show the widget: its words, what it can do, the theme',
      answers: { 200: objectOf({ widget: appearance(), theme: theme() }) },
    }),
  },
  '/api/widget/doctors': {
    get: operation('widgetDoctors', {
      summary: 'The doctors that patients may be sent to',
      answers: { 200: objectOf({ doctors: { type: 'array', items: doctor() } }) },
      refusals: ['WRONG_STATE', 'PROVIDER_UNAVAILABLE'],
    }),
  },
  '/api/widget/slots': {
    get: operation('widgetSlots', {
      summary: 'Free times of the next 14 days that nobody holds, the earliest first',
      parameters: [query('doctorId', text()), query('from', moment()), query('to', moment())],
      answers: { 200: objectOf({ timeZone: text('Asia/Kolkata'), slots: { type: 'array', items: slot() } }) },
      refusals: ['INVALID_INPUT', 'WRONG_STATE', 'PROVIDER_UNAVAILABLE'],
    }),
  },
  '/api/widget/chat': {
    post: operation('widgetChat', {
      summary:
        "Send one message of a talk; the reply streams as the AI SDK's UI-message chunks, and the same message again streams it anew",
      body: objectOf({
        id: { type: 'string', format: 'uuid', description: 'Of the talk: made by the page, known to it alone.' },
        message: objectOf({
          id: text(),
          role: only('user'),
          parts: { type: 'array', items: objectOf({ type: only('text'), text: text('I need a heart doctor on Monday') }) },
        }),
      }),
      answers: { 200: 'stream' },
      refusals: ['INVALID_INPUT', 'ASSISTANT_MISSING', 'WRONG_STATE', 'PROVIDER_UNAVAILABLE'],
    }),
  },
  '/api/widget/chat/{id}': {
    get: operation('widgetTalk', {
      summary: 'What was said in a talk, for a page that was loaded anew; kept for a day',
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
      answers: { 200: objectOf({ messages: { type: 'array', items: { type: 'object', description: 'A UI message of the AI SDK.' } } }) },
    }),
  },
  '/api/widget/bookings': {
    post: operation('widgetBooking', {
      summary: 'Hold a free time for five minutes by `slotId`; then book it by `bookingId`, `name` and `phone`',
      body: {
        anyOf: [
          { ...objectOf({ slotId: text() }), additionalProperties: false },
          { ...objectOf({ bookingId: text(), name: text('Asha Rao'), phone: text('+919845098450') }), additionalProperties: false },
        ],
      },
      answers: {
        201: objectOf({
          booking: objectOf({ id: text(), state: only('HELD'), heldUntil: moment(), slot: slot(), doctor: orNone(doctor()) }),
        }),
        200: objectOf({ booking: objectOf({ id: text(), state: only('BOOKED'), slot: slot(), doctor: orNone(doctor()) }) }),
      },
      refusals: ['INVALID_INPUT', 'NOT_FOUND', 'SLOT_TAKEN', 'WRONG_STATE', 'PROVIDER_UNAVAILABLE', 'OVERLOADED'],
    }),
  },
  '/api/widget/bookings/{id}': {
    delete: operation('widgetRelease', {
      summary: 'Give a held time back',
      parameters: [{ name: 'id', in: 'path', required: true, schema: text() }],
      answers: { 204: null },
      refusals: ['NOT_FOUND', 'WRONG_STATE'],
    }),
  },
}

type Shape = {
  readonly summary: string
  readonly parameters?: readonly Parameter[]
  readonly body?: JsonSchema
  /** `stream`: server-sent events; null: nothing. */
  readonly answers: Readonly<Record<number, JsonSchema | 'stream' | null>>
  readonly refusals?: readonly ErrorReason[]
}

function operation(operationId: string, { summary, parameters = [], body, answers, refusals = [] }: Shape): OpenApiOperation {
  const good = Object.entries(answers).map(([status, schema]): [string, Answer] => [
    status,
    { description: summary, content: contentOf(schema) },
  ])
  const byStatus = Map.groupBy([...ofEveryVisit, ...refusals], (reason) => String(statusOf[new AppError(reason).code]))
  const bad = Array.from(byStatus, ([status, reasons]): [string, Answer] => [
    status,
    { description: reasons.map(inWords).join('\n'), content: problem },
  ])
  return {
    operationId,
    tags: ['widget'],
    summary,
    description: 'For pages of the sites that the key in `x-widget-key` names, told by `Origin`. Takes no token.',
    security: [{ widgetKey: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } } : {}),
    responses: { ...Object.fromEntries([...good, ...bad]), default: { description: 'Any other error', content: problem } },
  }
}

function contentOf(schema: JsonSchema | 'stream' | null): Answer['content'] {
  if (schema === 'stream') return { 'text/event-stream': { schema: { type: 'string' } } }
  return schema ? { 'application/json': { schema } } : {}
}

function inWords(reason: ErrorReason): string {
  return `\`${reason}\`: ${new AppError(reason).title}`
}

function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties) }
}

function appearance(): JsonSchema {
  const flag: JsonSchema = { type: 'boolean' }
  const words = { greeting: text('Hello! How can we help you?'), placeholder: text('Write a message') }
  const position: JsonSchema = { type: 'string', enum: ['LEFT', 'RIGHT'] }
  return objectOf({ enabled: flag, ...words, position, bookingEnabled: flag, chatEnabled: flag })
}

function theme(): JsonSchema {
  const color = text('#1456c4')
  const font = text('system-ui, sans-serif')
  return objectOf({
    brand: objectOf({ hospitalName: orNone(text('Sunrise Hospital')), logoUrl: orNone(text('https://www.hospital.example/logo.svg')) }),
    colors: objectOf({ primary: color, accent: color, background: color, text: color }),
    fonts: objectOf({ heading: font, body: font }),
  })
}

function doctor(): JsonSchema {
  return objectOf({
    id: text(),
    name: text('Dr. Nandini Rao'),
    speciality: orNone(text('Cardiology')),
    clinic: orNone(text('City Clinic')),
    languages: { type: 'array', items: text('English') },
    fee: { type: ['number', 'null'] },
  })
}

function slot(): JsonSchema {
  return objectOf({
    id: text(),
    doctorId: orNone(text()),
    startsAt: moment(),
    endsAt: moment(),
    localStartsAt: text('2026-11-23T10:00:00+05:30'),
    durationMinutes: { type: 'number' },
  })
}

function text(example?: string): JsonSchema {
  return example === undefined ? { type: 'string' } : { type: 'string', examples: [example] }
}

function moment(): JsonSchema {
  return { type: 'string', format: 'date-time', examples: ['2026-11-23T04:30:00.000Z'] }
}

function only(value: string): JsonSchema {
  return { type: 'string', enum: [value] }
}

function orNone(schema: JsonSchema): JsonSchema {
  return typeof schema.type === 'string' ? { ...schema, type: [schema.type, 'null'] } : schema
}

function query(name: string, schema: JsonSchema): Parameter {
  return { name, in: 'query', required: false, schema }
}
