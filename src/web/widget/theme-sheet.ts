import type { WidgetConfig } from './model.ts'
import { paletteOf } from './palette.ts'

/** The theme as custom properties. A constructed sheet: a page's Content-Security-Policy has no say in it, unlike in style attributes. */
export function themeSheet({ colors, fonts }: WidgetConfig): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  const block = (scheme: 'light' | 'dark'): string =>
    Object.entries(paletteOf(colors, scheme))
      .map(([name, color]) => `--${name}:${color};`)
      .join('')
  sheet.replaceSync(`:host{${block('light')}}@media(prefers-color-scheme:dark){:host{${block('dark')}}}`)
  const [rule] = sheet.cssRules
  if (rule instanceof CSSStyleRule) {
    rule.style.setProperty('--heading-font', fonts.heading)
    rule.style.setProperty('--body-font', fonts.body)
  }
  return sheet
}
