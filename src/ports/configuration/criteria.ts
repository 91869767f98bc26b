import { z } from 'zod'
import { hashOf } from '../../kernel/ids.ts'

/** What a call is judged by: a column of the scorecard. */
const criterion = z.strictObject({
  key: z
    .string()
    .trim()
    .max(40)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must have lower-case letters, digits and single hyphens, such as polite-close')
    .describe('Identifies the criterion in scorecards and exports; a criterion with another key is another one'),
  name: z.string().trim().min(1).max(80).describe('Short name for people'),
  question: z.string().trim().min(1).max(300).describe('What the agent must say or do; the language model reads it'),
  weight: z.int().min(1).max(100).default(1).describe('How much it counts in the score, beside the others'),
})

export type Criterion = z.output<typeof criterion>

/** For a hospital's call center. A workspace without a list of its own has these. */
const defaults: readonly Criterion[] = [
  {
    key: 'greeting',
    name: 'Greeting',
    question: 'Greet the caller, and say the name of the hospital and your own name.',
    weight: 1,
  },
  {
    key: 'recording-consent',
    name: 'Consent to the recording',
    question: 'Say that the call is recorded, and ask whether the caller agrees.',
    weight: 2,
  },
  {
    key: 'no-medical-advice',
    name: 'No medical advice',
    question:
      'Give no medical advice: no diagnosis, no medicine and no dose. Leave such questions to a doctor, and send emergencies to the emergency department.',
    weight: 3,
  },
  {
    key: 'no-card-data',
    name: 'No card data',
    question:
      'Never ask for the number, the security code, the PIN or a one-time password of a payment card, and stop a caller who reads one out.',
    weight: 3,
  },
  {
    key: 'polite-close',
    name: 'Polite end',
    question: 'Close politely: repeat what was agreed, ask whether the caller needs anything else, and thank the caller.',
    weight: 1,
  },
]

/** An entry is a criterion, or only its text, as before there were scorecards. */
export const complianceRules = z
  .array(z.union([z.string().trim().min(1).max(300), criterion]))
  .max(20)
  .superRefine((entries, context) => {
    const keys = entries.flatMap((entry) => (typeof entry === 'string' ? [] : [entry.key]))
    for (const key of new Set(keys.filter((other, index) => keys.indexOf(other) < index)))
      context.addIssue({ code: 'custom', message: `must have each key once, but "${key}" is there again` })
  })
  .default(() => defaults.map((entry) => ({ ...entry })))
  .describe(
    'What agents must say and do: each call is judged by it, and its scorecard has a verdict on each entry. An entry has a key, a name, a question and a weight, or is only a text. Empty: nothing',
  )

/** The criteria of a workspace, each key once. One that is only a text has a key that follows from it, and counts once. */
export function criteriaOf({
  complianceRules: entries,
}: {
  readonly complianceRules: readonly (string | Readonly<Criterion>)[]
}): readonly Criterion[] {
  const criteria = entries.map((entry) =>
    typeof entry === 'string' ? { key: keyOfRule(entry), name: entry.slice(0, 80), question: entry, weight: 1 } : entry,
  )
  return [...new Map(criteria.toReversed().map((one) => [one.key, one])).values()].toReversed()
}

/** The key of a criterion that is only a text. */
export function keyOfRule(text: string): string {
  return `rule-${hashOf(text)
    .replaceAll(/[^a-zA-Z0-9]/g, '')
    .toLowerCase()
    .slice(0, 12)}`
}
