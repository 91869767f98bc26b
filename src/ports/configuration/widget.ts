import { z } from 'zod'
import type { DeepReadonly } from '../../kernel/freeze.ts'

const percentOfFreeTimes = (usual: number, what: string) =>
  z.int().min(1).max(100).default(usual).describe(`Percent of the free times of 14 days ${what}`)

export const widgetSection = z
  .strictObject({
    enabled: z.boolean().default(false).describe('Whether the widget works on the sites that embed it'),
    greeting: z.string().trim().max(500).default('Hello! How can we help you?').describe('What a visitor reads first'),
    placeholder: z.string().trim().max(100).default('Write a message').describe('Shown in the empty message field'),
    position: z.enum(['LEFT', 'RIGHT']).default('RIGHT').describe('The corner of the page'),
    bookingEnabled: z.boolean().default(true).describe('Whether visitors may book a visit'),
    dailyTokenBudget: z
      .int()
      .min(0)
      .max(1_000_000_000)
      .default(500_000)
      .describe('Language model tokens that all visitors together may use in one day (UTC)'),
    heldPercent: percentOfFreeTimes(50, 'that visitors with one widget key may hold at once without booking; also of the times of one day'),
    heldPercentPerAddress: percentOfFreeTimes(10, 'that one address may hold at once without booking; 3 are always allowed'),
    bookedPercent: percentOfFreeTimes(50, 'that may be booked with one widget key in one day (UTC); 5 are always allowed'),
    bookedPercentPerAddress: percentOfFreeTimes(10, 'that one address may book in one day (UTC); 3 are always allowed'),
  })
  .describe('Chat widget')

export type WidgetSection = DeepReadonly<z.output<typeof widgetSection>>
