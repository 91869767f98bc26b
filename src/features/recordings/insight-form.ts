import { z } from 'zod'
import { callOutcomes, complianceVerdicts, speakerRoles } from './recording-analysis.ts'

/** `[u3]`, `U3` and `u3: Hello` cite the utterance `u3`. */
const citation = z.string().overwrite((text) => /^\W?(u\d{1,6})\b/i.exec(text)?.[1]?.toLowerCase() ?? text)
const evidence = z.array(citation.max(12)).max(12).describe('Ids of the utterances that show it, for example u3; at least one')
const statement = z.object({ text: z.string().min(1).max(400).describe('One plain sentence'), evidence })
const verdict = z.object({
  verdict: z.enum(complianceVerdicts).describe('NOT_APPLICABLE if the conversation gave no occasion for the rule'),
  reason: z.string().max(300),
  evidence,
})

/** The form that the model fills in for one conversation, with a verdict for each rule (`rule1`, ...). All is required, for strict providers. */
export function insightForm(rules: readonly string[]) {
  const verdicts = Object.fromEntries(rules.map((rule, index) => [`rule${index + 1}`, verdict.describe(rule.slice(0, 200))]))
  return z.object({
    speakers: z
      .array(z.object({ speaker: z.int(), role: z.enum(speakerRoles).describe('UNKNOWN if it is not clear'), evidence }))
      .max(10)
      .describe('Who each speaker is'),
    summary: z.string().max(1_200).describe('What the conversation was about and how it ended, in two to four plain sentences'),
    outcome: z.object({ code: z.enum(callOutcomes), text: z.string().max(300).describe('The same in one sentence'), evidence }),
    wentWell: z.array(statement).max(5).describe('What the agent did well'),
    toImprove: z.array(statement).max(5).describe('What the agent could do better'),
    satisfaction: z.object({
      score: z.int().min(1).max(5).describe('How content the customer was at the end: 1 not at all, 5 fully'),
      reason: z.string().max(300),
      evidence,
    }),
    compliance: z.object(verdicts),
  })
}

export type FilledForm = z.output<ReturnType<typeof insightForm>>
