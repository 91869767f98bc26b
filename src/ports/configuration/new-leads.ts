import { z } from 'zod'

/** Leads that the service creates for callers whose number no lead has. */
export const newLeadSettings = z
  .strictObject({
    enabled: z.boolean().default(false).describe('Create a lead when somebody calls whose number no lead has'),
    source: z.string().trim().min(1).max(100).default('Inbound call').describe('The source of these leads, 1 to 100 characters'),
    maxPerHour: z
      .int()
      .min(1)
      .max(1_000)
      .default(100)
      .describe('How many leads an hour may bring, 1 to 1,000: a wave of unwanted calls must not fill the CRM'),
  })
  .prefault({})
  .describe('Leads of unknown callers')
