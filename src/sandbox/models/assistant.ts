import type { OfferedTool, ChatMessage } from './ask.ts'
import { specialityForm } from './invent-text.ts'
import { personName, phoneIn } from './said.ts'
import { type Shown, shownIn, describeResult } from './shown.ts'

/** What the receptionist does next: says something, or wants a tool called. */
export type AssistantStep = { readonly text: string } | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }

const needs = ['listDoctors', 'listSlots', 'proposeBooking', 'handOff'] as const

/** Whether the offered tools are those of a hospital's assistant. */
export function isAssistantChat(tools: readonly OfferedTool[]): boolean {
  return needs.every((name) => tools.some((tool) => tool.name === name))
}

const wantsPerson = /\b(person|human|staff|someone|somebody|call ?back|call me|complain\w*|speak to|talk to)\b/i
const wantsTime = /\b(slots?|times?|appointments?|book\w*|visits?|available|availability|when|free)\b/i
const wantsDoctor = /\b(doctors?|dr|specialists?|physicians?|consultants?)\b/i
const urgent = /\b(emergency|ambulance|unconscious|heart attack|can(?:no|')t breathe|severe bleeding|suicid\w*)\b/i
const greets = /^\W*(hi|hello|hey|good (morning|afternoon|evening)|namaste)\b/i
const askedForNumber = /\b(phone )?number\b.*\?/i

/** The next step in a talk with a visitor of a hospital's site. The same talk always goes on in the same way. */
export function assist(messages: readonly ChatMessage[]): AssistantStep {
  const lastUser = messages.findLastIndex(({ role }) => role === 'user')
  const said = messages[lastUser]?.text ?? ''
  const shown = shownIn(messages.filter(({ role }) => role === 'tool').map(({ text }) => text))
  const results = messages.slice(lastUser + 1).filter(({ role }) => role === 'tool')
  const lastResult = results.at(-1)?.text
  if (lastResult !== undefined) return afterResult(lastResult, { said, isFirst: results.length === 1 })
  const before = messages.slice(0, lastUser)
  return urgent.test(said) ? { text: urgentWords } : answer(said, { shown, before })
}

const urgentWords =
  'If this is an emergency, please call your local emergency number or come to the emergency department at once. I cannot help with emergencies in this chat.'

type Before = { readonly shown: Shown; readonly before: readonly ChatMessage[] }

function answer(said: string, { shown, before }: Before): AssistantStep {
  const lastSaid = before.findLast(({ role }) => role === 'assistant')?.text ?? ''
  const phone = phoneIn(said)
  if (wantsPerson.test(said) || (phone !== null && askedForNumber.test(lastSaid))) return toPerson(said, before)
  const slot = shown.slotMeant(said)
  if (slot !== null) return { tool: 'proposeBooking', input: { slot } }
  const doctor = shown.doctorMeant(said)
  if (doctor !== null) return { tool: 'listSlots', input: { doctor, from: null } }
  const speciality = specialityForm.exec(said)?.[0] ?? null
  if (speciality !== null || wantsDoctor.test(said) || wantsTime.test(said)) {
    return { tool: 'listDoctors', input: { speciality, name: speciality === null ? nameOfDoctor(said) : null } }
  }
  if (greets.test(said))
    return { text: 'Hello! I can show you our doctors and their free times, and hold one for you. Which doctor or speciality do you need?' }
  return { text: 'I can help with doctors, free times and appointments, or pass you on to a person. What would you like to do?' }
}

function toPerson(said: string, before: readonly ChatMessage[]): AssistantStep {
  const words = [
    said,
    ...before
      .filter(({ role }) => role === 'user')
      .map(({ text }) => text)
      .toReversed(),
  ]
  const phone = words.map(phoneIn).find((found) => found !== null) ?? null
  if (phone === null) return { text: 'Of course. Under which phone number may a colleague call you, and what is your name?' }
  const name = words.map(personName).find((found) => found !== null) ?? null
  const reason = words.find((text) => wantsPerson.test(text)) ?? said
  return { tool: 'handOff', input: { name, phone, reason: reason.slice(0, 200) } }
}

function nameOfDoctor(said: string): string | null {
  return /\bdr\.?\s+(\p{Lu}\p{L}+(?:\s\p{Lu}\p{L}+)?)/iu.exec(said)?.[1] ?? null
}

/** If the visitor asked for a doctor's times, the doctor is followed by the times. Everything else becomes a text. */
function afterResult(result: string, { said, isFirst }: { said: string; isFirst: boolean }): AssistantStep {
  const [only, ...others] = shownIn([result]).doctors
  if (only && others.length === 0 && isFirst && wantsTime.test(said)) return { tool: 'listSlots', input: { doctor: only.ref, from: null } }
  return { text: describeResult(result) }
}
