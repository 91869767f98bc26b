import { z } from 'zod'
import type { ErrorReason } from '../../kernel/errors.ts'
import { themeSection } from '../../ports/configuration/theme.ts'
import { widgetSection } from '../../ports/configuration/widget.ts'
import type { Doctor, VisitSlot } from '../../ports/doctors.ts'
import { questionSchema } from '../../features/widget/chat/question.ts'

/** What a public path of the widget takes and answers. The handler parses with these schemas, and the API description is made of them. */
export type WidgetEndpoint = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Parameters are in braces: `/api/widget/bookings/{id}`. */
  readonly path: `/api/widget/${string}`
  /** The operation's id in the API description. */
  readonly name: string
  readonly summary: string
  /** Query parameters by name. */
  readonly query?: Readonly<Record<string, z.ZodType>>
  readonly body?: z.ZodType
  /** By status. `stream`: server-sent events. Null: no body. */
  readonly answers: Readonly<Record<number, z.ZodType | 'stream' | null>>
  /** Errors besides those of every path, and INVALID_INPUT if it has parameters or a body. */
  readonly refusals: readonly ErrorReason[]
}

const id = z.string().regex(/^[\w-]{1,100}$/, 'must be an id')
/** Its length is in code points, as JSON Schema counts. */
const text = (most: number) =>
  z
    .string()
    .refine((given) => Array.from(given).length <= most, `must have at most ${most} characters`)
    .meta({ maxLength: most })
const moment = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-03-01T09:30:00Z' })
  .meta({ examples: ['2026-11-23T04:30:00.000Z'] })

export const slotsQuery = z.strictObject({
  doctorId: id.optional().describe('Only times of this doctor.'),
  from: moment.transform(Date.parse).optional().describe('Only times at or after this moment.'),
  to: moment.transform(Date.parse).optional().describe('Only times before this moment.'),
})
export const holdBody = z.strictObject({ slotId: id.describe('The `id` of a free time.') }).meta({ title: 'WidgetHold' })
export const confirmationBody = z
  .strictObject({
    bookingId: id.describe('The `id` of the held booking.'),
    name: text(120)
      .describe("The patient's name: not blank.")
      .meta({ examples: ['Asha Rao'] }),
    phone: text(40)
      .describe("The patient's phone number: a valid one. From abroad it begins with + and the country code.")
      .meta({ examples: ['+919845098450'] }),
  })
  .meta({ title: 'WidgetConfirmation' })

const doctor: z.ZodType<Pick<Doctor, 'id' | 'name' | 'speciality' | 'clinic' | 'languages' | 'fee'>> = z
  .object({
    id: z.string(),
    name: z.string().meta({ examples: ['Dr. Nandini Rao'] }),
    speciality: z
      .string()
      .nullable()
      .meta({ examples: ['Cardiology'] }),
    clinic: z
      .string()
      .nullable()
      .meta({ examples: ['City Clinic'] }),
    languages: z.array(z.string()),
    fee: z.number().nullable().describe("Price of a visit in the workspace's currency."),
  })
  .meta({ title: 'WidgetDoctor' })
const slot: z.ZodType<Pick<VisitSlot, 'id' | 'doctorId' | 'startsAt' | 'endsAt' | 'localStartsAt' | 'durationMinutes'>> = z
  .object({
    id: z.string(),
    doctorId: z.string().nullable(),
    startsAt: moment,
    endsAt: moment,
    localStartsAt: z
      .string()
      .describe("Start in the clinic's time zone with its offset.")
      .meta({ examples: ['2026-11-23T10:00:00+05:30'] }),
    durationMinutes: z.number(),
  })
  .meta({ title: 'WidgetSlot' })
const booking = { id: z.string(), slot, doctor: doctor.nullable() }
const appearance = widgetSection
  .pick({ enabled: true, greeting: true, placeholder: true, position: true, bookingEnabled: true })
  .extend({ chatEnabled: z.boolean().describe('Whether visitors can chat, because a language model is configured') })

const unavailable = ['WRONG_STATE', 'PROVIDER_UNAVAILABLE'] as const

/** Every public path of the widget. */
export const widgetEndpoints = {
  config: {
    method: 'GET',
    path: '/api/widget/config',
    name: 'widgetConfig',
    summary: 'What a page needs to show the widget: texts, what it can do, and the theme',
    answers: { 200: z.object({ widget: appearance, theme: themeSection }) },
    refusals: [],
  },
  doctors: {
    method: 'GET',
    path: '/api/widget/doctors',
    name: 'widgetDoctors',
    summary: 'The doctors to whom patients may be sent',
    answers: { 200: z.object({ doctors: z.array(doctor) }) },
    refusals: unavailable,
  },
  slots: {
    method: 'GET',
    path: '/api/widget/slots',
    name: 'widgetSlots',
    summary: 'Free times of the next 14 days that nobody holds, the earliest first',
    query: slotsQuery.shape,
    answers: { 200: z.object({ timeZone: z.string().meta({ examples: ['Asia/Kolkata'] }), slots: z.array(slot) }) },
    refusals: [...unavailable],
  },
  chat: {
    method: 'POST',
    path: '/api/widget/chat',
    name: 'widgetChat',
    summary: "Send a message. The reply streams as chunks of the AI SDK's UI messages. The same message again streams the same reply",
    body: questionSchema,
    answers: { 200: 'stream' },
    refusals: ['ASSISTANT_MISSING', ...unavailable],
  },
  conversation: {
    method: 'GET',
    path: '/api/widget/chat/{id}',
    name: 'widgetConversation',
    summary: 'The messages of a conversation, for a page that was reloaded. They are stored for a day',
    answers: { 200: z.object({ messages: z.array(z.looseObject({}).describe('A UI message of the AI SDK.')) }) },
    refusals: [],
  },
  book: {
    method: 'POST',
    path: '/api/widget/bookings',
    name: 'widgetBooking',
    summary: 'First hold a free time for five minutes with `slotId`, then book it with `bookingId`, `name` and `phone`',
    body: z.union([holdBody, confirmationBody]),
    answers: {
      201: z.object({
        booking: z.object({ ...booking, state: z.literal('HELD'), heldUntil: moment }).meta({ title: 'WidgetHeldBooking' }),
      }),
      200: z.object({ booking: z.object({ ...booking, state: z.literal('BOOKED') }).meta({ title: 'WidgetBookedVisit' }) }),
    },
    refusals: ['NOT_FOUND', 'SLOT_TAKEN', ...unavailable, 'OVERLOADED'],
  },
  release: {
    method: 'DELETE',
    path: '/api/widget/bookings/{id}',
    name: 'widgetRelease',
    summary: 'Release a held time',
    answers: { 204: null },
    refusals: ['NOT_FOUND', 'WRONG_STATE'],
  },
} as const satisfies Record<string, WidgetEndpoint>
