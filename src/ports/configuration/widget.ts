import { z } from 'zod'

export const widgetSection = z
  .strictObject({
    enabled: z.boolean().default(false).describe('Whether the widget answers on the sites that carry it'),
    greeting: z.string().trim().max(500).default('Hello! How can we help you?').describe('What a visitor reads first'),
    placeholder: z.string().trim().max(100).default('Write a message').describe('Shown in the empty message field'),
    position: z.enum(['LEFT', 'RIGHT']).default('RIGHT').describe('The corner of the page'),
    bookingEnabled: z.boolean().default(true).describe('Whether visitors may book a visit'),
    dailyTokenBudget: z
      .int()
      .min(0)
      .max(1_000_000_000)
      .default(500_000)
      .describe('Tokens of the language model that visitors may use up in a day (UTC), all together'),
  })
  .describe('Chat widget')
