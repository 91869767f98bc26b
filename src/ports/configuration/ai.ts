import { z } from 'zod'
import type { DeepReadonly } from '../../kernel/freeze.ts'
import { complianceRules } from './criteria.ts'

/** The longest that a workspace may have the analyses of recordings stored. */
export const maxAnalysisDays = 90

/** A model provider that an admin may choose. `maxTemperature`: the provider's own limit. */
export type ModelProviderChoice = { readonly id: string; readonly title: string; readonly maxTemperature: number }

const host = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^(?:\*\.)?[a-z0-9.:[\]-]+$/, 'must be a host such as media.example.com, or *.example.com for all below it')

const automatic = z
  .strictObject({
    enabled: z.boolean().default(false).describe('Whether recordings are analysed without a click'),
    dailyMinutes: z
      .int()
      .min(0)
      .max(1_000_000)
      .default(600)
      .describe("Minutes of recordings that may be analysed without a click in one day of the clinic's time zone"),
    dailyTokens: z
      .int()
      .min(0)
      .max(1_000_000_000)
      .default(2_000_000)
      .describe("Language model tokens that these analyses may use in one day of the clinic's time zone"),
  })
  .describe('Analysis of each recorded call when it has ended, the newest first')

const recordings = z
  .strictObject({
    hosts: z
      .array(host)
      .max(100)
      .default([])
      .describe('Hosts from which recordings may be fetched; *.example.com means all subdomains; an empty list means any public host'),
    agentChannel: z.enum(['FIRST', 'SECOND']).default('FIRST').describe('The channel of the agent in recordings with two channels'),
    complianceRules,
    retentionDays: z
      .int()
      .min(7)
      .max(maxAnalysisDays)
      .default(7)
      .describe('How long analyses are stored and can be searched, in days. A change applies to analyses that are made afterwards'),
    automatic: automatic.prefault({}),
    maskPersonalData: z
      .boolean()
      .default(true)
      .describe('Hide card numbers, e-mail addresses and long numbers before a transcript goes to the language model'),
  })
  .describe('Recordings')

/** Keys and addresses of model providers come only from the environment, so this section cannot send a key to another address. */
export function aiSection(models: readonly [ModelProviderChoice, ...ModelProviderChoice[]]) {
  const [first] = models
  return z
    .strictObject({
      provider: z
        .enum(models.map(({ id }) => id))
        .default(first.id)
        .describe('Who runs the language model'),
      model: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .nullable()
        .default(null)
        .describe("The provider's name of the model; without a model there is no AI"),
      temperature: z
        .number()
        .min(0)
        .default(0.2)
        .describe(
          `How freely the model writes: 0 to ${models.map(({ title, maxTemperature }) => `${maxTemperature} (${title})`).join(', ')}`,
        ),
      systemPromptAddendum: z.string().max(8_000).default('').describe('Added to the instructions of every prompt'),
      recordings: recordings.prefault({}),
    })
    .superRefine(({ provider, temperature }, context) => {
      const max = models.find(({ id }) => id === provider)?.maxTemperature ?? 0
      if (temperature > max)
        context.addIssue({ code: 'custom', path: ['temperature'], message: `must be between 0 and ${max} for ${provider}` })
    })
    .describe('Language model')
}

export type AiSection = DeepReadonly<z.output<ReturnType<typeof aiSection>>>
