import { z } from 'zod'

const doctorSchema = z.looseObject({
  ref: z.string(),
  name: z.string(),
  speciality: z.string().nullish(),
  clinic: z.string().nullish(),
})
const slotSchema = z.looseObject({ ref: z.string(), when: z.string(), doctor: z.string().nullish() })
const resultSchema = z.looseObject({
  doctors: z.array(doctorSchema).optional(),
  slots: z.array(slotSchema).optional(),
  held: z.boolean().optional(),
  when: z.string().optional(),
  doctor: z.string().nullish(),
  handedOff: z.boolean().optional(),
  why: z.string().optional(),
})
type Result = z.output<typeof resultSchema>

/** What tools have shown in a talk, and which of it somebody means. */
export type Shown = {
  readonly doctors: readonly z.output<typeof doctorSchema>[]
  doctorMeant(said: string): string | null
  slotMeant(said: string): string | null
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']

/** `results`: what tools answered, oldest first. */
export function shownIn(results: readonly string[]): Shown {
  const read = results.map(resultIn).filter((result) => result !== null)
  const doctors = read.flatMap((result) => result.doctors ?? [])
  const lastSlots = read.findLast((result) => (result.slots?.length ?? 0) > 0)?.slots ?? []
  return {
    doctors,
    doctorMeant: (said) => doctors.findLast(({ name }) => lastWord(name).test(said))?.ref ?? null,
    slotMeant(said) {
      const clock = /\b(\d{1,2})[:.](\d\d)\b/.exec(said)
      const time = clock ? `${clock[1]?.padStart(2, '0')}:${clock[2]}` : null
      if (time !== null) return lastSlots.find(({ when }) => when.includes(time))?.ref ?? null
      const place = ordinals.findIndex((word) => new RegExp(`\\b${word}\\b`, 'i').test(said))
      return lastSlots[place]?.ref ?? null
    },
  }
}

function lastWord(name: string): RegExp {
  const word = /\p{L}+$/u.exec(name.trim())?.[0]
  return word === undefined ? /$^/ : new RegExp(`(?<!\\p{L})${word}(?!\\p{L})`, 'iu')
}

/** What a tool answered, in a receptionist's words. */
export function describeResult(text: string): string {
  const result = resultIn(text)
  if (result?.doctors) return describeDoctors(result.doctors)
  if (result?.slots) return describeSlots(result.slots)
  if (result?.held === true) {
    return `I am holding ${result.when ?? 'this time'}${result.doctor ? ` with ${result.doctor}` : ''} for you for five minutes. Please confirm it with your name and phone number.`
  }
  if (result?.held === false) return `I could not hold that time. ${result.why ?? ''} Would another time suit you?`.replaceAll(/\s+/g, ' ')
  if (result?.handedOff === true) return 'Thank you, I have passed that on. A colleague will call you back.'
  if (result?.handedOff === false) return `I could not pass that on. ${result.why ?? ''}`.trim()
  return `I am sorry, that did not work. ${result?.why ?? 'May I help you with something else?'}`
}

function describeDoctors(doctors: NonNullable<Result['doctors']>): string {
  if (doctors.length === 0) return 'I could not find such a doctor here. Which speciality do you need?'
  const lines = doctors.slice(0, 3).map(({ name, speciality, clinic }) => {
    const facts = [speciality, clinic].filter((fact) => typeof fact === 'string' && fact !== '')
    return facts.length > 0 ? `${name} (${facts.join(', ')})` : name
  })
  return `We have ${lines.join('; ')}${doctors.length > 3 ? ', and others' : ''}. Would you like to see the free times of one of them?`
}

function describeSlots(slots: NonNullable<Result['slots']>): string {
  if (slots.length === 0) return 'There are no free times in the next days. Shall I pass this on to a person?'
  const lines = slots.slice(0, 2).map(({ when, doctor }) => (doctor ? `${when} with ${doctor}` : when))
  return `The first free ${lines.length === 1 ? 'time is' : 'times are'} ${lines.join('; and ')}. Which one suits you?`
}

function resultIn(text: string): Result | null {
  try {
    return resultSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}
