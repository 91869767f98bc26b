import type { Doctor } from '../../ports/doctors.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import { type FilledForm, insightForm } from './insight-form.ts'
import { maskUtterances } from './mask-utterances.ts'
import type { Utterance } from './number-utterances.ts'

const instructions = `You judge recorded calls of a hospital's call center for its managers. You read one transcript, a line for each utterance: its
id in brackets, the speaker's number, the words. Write plain English without markup, links or addresses. Say only what the words show, and cite
for each statement the ids of the utterances that show it; a statement that you cannot cite is left out by us. Judge the agent fairly: what
could not be done in this call is no fault. Name doctors only as the list of doctors writes them, if one clearly is meant.`

const prompt = 'Fill in the form about this call.'

const deadlineMs = 90_000
/** About five hours of conversation; a longer transcript loses its middle. */
const maxTranscript = 240_000
/** A model overlooks names in a longer list. */
const maxDoctors = 200

export type InsightsQuestion = {
  readonly utterances: readonly Utterance[]
  readonly rules: readonly string[]
  /** The hospital's doctors, so that the model writes their names correctly. */
  readonly doctors: readonly Doctor[]
  readonly mask: boolean
  readonly signal: AbortSignal
}

export type InsightsAnswer = {
  readonly form: FilledForm
  readonly model: string
  readonly tokens: { readonly input: number; readonly output: number }
}

/** Has the model fill in the form about a conversation. With `mask`, phone numbers, e-mail addresses and the like are hidden. Errors: the model's. */
export async function askForCallInsights(
  model: LanguageModel,
  { utterances, rules, doctors, mask, signal }: InsightsQuestion,
): Promise<InsightsAnswer> {
  const { output, ...answer } = await model.structured({
    instructions,
    prompt,
    data: {
      transcript: shortened(transcriptFor(mask ? maskUtterances(utterances) : utterances)),
      ...(doctors.length > 0 ? { doctors: doctors.slice(0, maxDoctors).map(doctorLine).join('\n') } : {}),
      ...(rules.length > 0 ? { rules: rules.map((rule, index) => `rule${index + 1}: ${rule}`).join('\n') } : {}),
    },
    schema: insightForm(rules),
    deadlineMs,
    signal,
  })
  return { form: output, ...answer }
}

function doctorLine({ name, speciality, clinic }: Doctor): string {
  return JSON.stringify({ name, speciality, clinic })
}

function transcriptFor(utterances: readonly Utterance[]): string {
  return utterances.map(({ id, speaker, text }) => `[${id}] speaker ${speaker}: ${text}`).join('\n')
}

function shortened(text: string): string {
  if (text.length <= maxTranscript) return text
  const half = maxTranscript / 2
  return `${text.slice(0, text.lastIndexOf('\n', half))}\n...\n${text.slice(text.indexOf('\n', text.length - half) + 1)}`
}
