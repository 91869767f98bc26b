import { z } from 'zod'
import type { DeepReadonly } from '../../kernel/freeze.ts'

const color = (standard: string, description: string) =>
  z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #1f6feb')
    .toLowerCase()
    .default(standard)
    .describe(description)

const font = (standard: string, description: string) =>
  z
    .string()
    .trim()
    .regex(/^[\p{L}\p{N} ,'"-]{1,200}$/u, 'must be a list of font names, separated by commas')
    .default(standard)
    .describe(description)

const systemFonts = 'system-ui, sans-serif'

export const themeSection = z
  .strictObject({
    brand: z
      .strictObject({
        hospitalName: z.string().trim().min(1).max(120).nullable().default(null).describe('The name that staff and visitors see'),
        logoUrl: z
          .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
          .max(2_000)
          .nullable()
          .default(null)
          .describe('Address of the logo'),
      })
      .prefault({})
      .describe('Brand'),
    colors: z
      .strictObject({
        primary: color('#1456c4', 'Buttons and links'),
        accent: color('#0b7a6f', 'Highlights'),
        background: color('#ffffff', 'Background'),
        text: color('#1b1f24', 'Text'),
      })
      .prefault({})
      .describe('Colours'),
    fonts: z
      .strictObject({ heading: font(systemFonts, 'Headings'), body: font(systemFonts, 'Body text') })
      .prefault({})
      .describe('Fonts'),
  })
  .describe('Theme')

export type ThemeSection = DeepReadonly<z.output<typeof themeSection>>
