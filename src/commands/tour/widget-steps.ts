import { z } from 'zod'
import { type Answer, type Api, read, readShape, StepFault } from './api.ts'
import { managerToken } from './sandbox.ts'
import { clockTime, type StepResult } from './step-result.ts'

const site = 'https://www.hospital.example'

/** The widget on the hospital's site, with the token of the manager who created its key. */
export type TourWidget = { readonly key: string; readonly managerToken: string }
type OfferedSlot = z.output<typeof slotSchema>
export type TourVisit = { readonly slot: OfferedSlot; readonly phone: string }

const keySchema = z.object({ key: z.string(), origins: z.array(z.string()) })
const doctorSchema = z.object({ id: z.string(), name: z.string(), speciality: z.string().nullable() })
const slotSchema = z.object({ id: z.string(), doctorId: z.string().nullable(), localStartsAt: z.string() })
const bookingSchema = z.object({
  booking: z.object({ id: z.string(), state: z.string(), heldUntil: z.string().optional(), doctor: doctorSchema.nullable() }),
})

/** A widget key needs the hospital's name, and visitors need an enabled widget. Sets whichever is missing in the sandbox. */
export async function widgetIsPutUp(api: Api): Promise<StepResult<TourWidget>> {
  const token = await managerToken(api)
  const theme = z.object({ brand: z.object({ hospitalName: z.string().nullable() }) })
  const { hospitalName } = read(await api.rest('GET', '/api/config/theme', { token }), 200, theme).brand
  if (hospitalName === null) {
    read(await api.rest('PUT', '/api/config/theme', { token, body: { brand: { hospitalName: 'Sunrise Hospital' } } }), 200, theme)
  }
  const widget = z.object({ enabled: z.literal(true) })
  read(await api.rest('PUT', '/api/config/widget', { token, body: { enabled: true } }), 200, widget)
  const made = await api.rest('POST', '/api/config/widget/keys', { token, body: { origins: [site] } })
  const { key, origins } = read(made, 200, keySchema)
  return { summary: `the key ${key} counts on pages of ${origins.join(', ')}`, value: { key, managerToken: token } }
}

/** Sends requests as a page of the site, and checks that a page of another site is refused. */
export async function visitorLooks(api: Api, widget: TourWidget): Promise<StepResult<OfferedSlot>> {
  const elsewhere = await api.rest('GET', '/api/widget/slots', {
    headers: { 'x-widget-key': widget.key, origin: 'https://elsewhere.example' },
  })
  read(elsewhere, 403, z.object({ reason: z.literal('ORIGIN_REFUSED') }))
  const { doctors } = read(await visit(api, widget, { path: 'doctors' }), 200, z.object({ doctors: z.array(doctorSchema) }))
  const offer = z.object({ timeZone: z.string(), slots: z.array(slotSchema) })
  const { timeZone, slots } = read(await visit(api, widget, { path: 'slots' }), 200, offer)
  const slot = slots.at(-1)
  if (!slot) throw new StepFault('no doctor of the sandbox has a free time any more: stop it, delete its data folder and start it again')
  return {
    summary: `${doctors.length} doctors and ${slots.length} free times (${timeZone}); a page of another site gets 403 ORIGIN_REFUSED`,
    facts: { doctors: doctors.map(({ name, speciality }) => `${name}, ${speciality ?? 'any'}`).join('; ') },
    value: slot,
  }
}

/** Holds a slot, then confirms it with a name and a number. A second visitor cannot get the same slot. */
export async function visitorBooks(api: Api, widget: TourWidget, slot: OfferedSlot): Promise<StepResult<TourVisit>> {
  const hold = () => visit(api, widget, { method: 'POST', path: 'bookings', body: { slotId: slot.id } })
  const { id: bookingId, heldUntil } = read(await hold(), 201, bookingSchema).booking
  read(await hold(), 409, z.object({ reason: z.literal('SLOT_TAKEN') }))
  const phone = `+9198450${String(Date.now()).slice(-5)}`
  const contact = { bookingId, name: 'Vikram Visitor', phone }
  const confirmed = await visit(api, widget, { method: 'POST', path: 'bookings', body: contact })
  const { state, doctor } = read(confirmed, 200, bookingSchema).booking
  return {
    summary: `${state}: ${slot.localStartsAt.slice(0, 16).replace('T', ' ')} with ${doctor?.name ?? 'a doctor'}`,
    facts: {
      held: `for this visitor until ${heldUntil === undefined ? 'now' : clockTime(heldUntil)}; the next one got 409 SLOT_TAKEN`,
      lead: `made for ${phone}`,
    },
    value: { slot, phone },
  }
}

const cleared = z.object({ leads: z.object({ edges: z.array(z.object({ node: z.object({ id: z.string() }) })) }) })

/** Restores the sandbox: frees the slot, and deletes the lead and the key. */
export async function widgetIsTakenDown(
  api: Api,
  { key, managerToken: token }: TourWidget,
  visits: readonly TourVisit[],
): Promise<StepResult> {
  for (const { slot, phone } of visits) {
    const found = 'query($filter: LeadFilterInput) { leads(filter: $filter) { edges { node { id } } } }'
    const filter = { phones: { primaryPhoneNumber: { eq: phone.slice(3) } } }
    const { leads } = readShape(await api.graphql(found, { token, variables: { filter } }), cleared, 'leads')
    const free = 'mutation($id: UUID!) { updateVisitSlot(id: $id, data: { state: FREE, leadId: null }) { id } }'
    await api.graphql(free, { token, variables: { id: slot.id } })
    for (const { node } of leads.edges) {
      await api.graphql('mutation($id: UUID!) { deleteLead(id: $id) { id } }', { token, variables: { id: node.id } })
    }
  }
  read(await api.rest('DELETE', `/api/config/widget/keys/${key}`, { token }), 200, keySchema)
  return { summary: 'the key counts no more, and the time is free again', value: undefined }
}

type Asked = { readonly method?: string; readonly path: string; readonly body?: unknown }

function visit(api: Api, { key }: TourWidget, { method = 'GET', path, body }: Asked): Promise<Answer> {
  return api.rest(method, `/api/widget/${path}`, { body, headers: { 'x-widget-key': key, origin: site } })
}
