import { z } from 'zod'
import type { DeepReadonly } from '../../kernel/freeze.ts'

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
  })
  .describe('Chat widget')

export type WidgetSection = DeepReadonly<z.output<typeof widgetSection>>
