import type { ThemeColors } from './model.ts'

/** The colours of the widget, for one colour scheme. The contrast of text is at least 4.5 to 1, of controls 3 to 1 (WCAG AA). */
export type Palette = Readonly<Record<PaletteColor, string>>
export type PaletteColor =
  | 'bg'
  | 'surface'
  | 'tint'
  | 'text'
  | 'muted'
  | 'line'
  | 'edge'
  | 'control'
  | 'primary'
  | 'primary-strong'
  | 'on-primary'
  | 'link'
  | 'accent'
  | 'danger'

const black = '#000000'
const white = '#ffffff'

/** Makes any theme readable: moves a colour towards black or white, as far as its contrast needs it. */
export function paletteOf(theme: ThemeColors, scheme: 'light' | 'dark'): Palette {
  const { background, text } = scheme === 'dark' ? darkened(theme) : theme
  const ink = inkOn(background)
  const surface = nearby(background, ink, 0.05)
  const tint = tinted({ background, color: theme.primary, ink })
  const readable = (color: string): string => standingOut(color, { from: [background, surface, tint], ratio: 4.5 })
  const shownText = readable(text)
  const primary = standingOut(theme.primary, { from: [background], ratio: 3 })
  return {
    bg: background,
    surface,
    tint,
    text: shownText,
    muted: readable(mix(shownText, background, 0.35)),
    line: mix(background, ink, 0.13),
    edge: mix(background, ink, 0.24),
    control: standingOut(mix(background, ink, 0.4), { from: [background], ratio: 3 }),
    primary,
    'primary-strong': mix(primary, inkOn(primary) === white ? black : white, 0.14),
    'on-primary': inkOn(primary),
    link: readable(theme.primary),
    accent: readable(theme.accent),
    danger: readable('#c4291d'),
  }
}

/** How far two colours stand out from each other, from 1 to 21, as WCAG counts it. */
export function contrast(one: string, other: string): number {
  const [brighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (brighter + 0.05) / (darker + 0.05)
}

/** A theme made for light pages in the dark: a dark ground with a breath of its main colour. One that is dark already stays. */
function darkened({ background, text, primary }: ThemeColors): { readonly background: string; readonly text: string } {
  if (luminance(background) < 0.1) return { background, text }
  return { background: mix('#12161b', primary, 0.07), text: luminance(text) > 0.6 ? text : '#e9edf2' }
}

function inkOn(background: string): string {
  return contrast(white, background) >= 4.5 ? white : black
}

/** A shade of the background: towards the ink if the ink remains readable on it, else away from it. */
function nearby(background: string, ink: string, share: number): string {
  const towards = mix(background, ink, share)
  return contrast(towards, ink) >= 4.5 ? towards : mix(background, ink === white ? black : white, share)
}

function tinted({ background, color, ink }: { background: string; color: string; ink: string }): string {
  const towards = mix(background, color, 0.1)
  return contrast(towards, ink) >= 4.5 ? towards : nearby(background, ink, 0.08)
}

/** The colour, moved towards black or white until its contrast with all of these is sufficient. */
function standingOut(color: string, { from, ratio }: { from: readonly string[]; ratio: number }): string {
  const least = (candidate: string): number => Math.min(...from.map((background) => contrast(candidate, background)))
  const goal = least(white) > least(black) ? white : black
  for (let share = 0; share < 1; share += 0.04) {
    const candidate = mix(color, goal, share)
    if (least(candidate) >= ratio) return candidate
  }
  return goal
}

function mix(one: string, other: string, share: number): string {
  const mixed = channels(one).map((value, at) => Math.round(value + ((channels(other)[at] ?? 0) - value) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function channels(color: string): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
}
