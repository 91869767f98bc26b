import { useStore } from '../../../../state/store.ts'
import { useFormats } from '../../../../i18n/format.ts'
import { languageStore } from '../../../../i18n/language.ts'
import type { Fault } from './faults.ts'
import { useFormTexts } from './form-texts.ts'
import { hindiHints } from './hindi-hints.ts'
import { useLabelTexts } from './label-texts.ts'
import type { Field } from './schema.ts'
import type { Path } from './values.ts'

type Texts = Readonly<Record<string, unknown>>

/** What a value must look like, for fields with a pattern. */
const examples: Readonly<Record<string, string>> = {
  defaultCountry: 'IN',
  did: '+918012345678',
  domain: 'sip.example.com',
  hosts: 'media.example.com',
  key: 'polite-close',
  from: '09:00',
  to: '18:00',
  secret: 'whsec_…',
  logoUrl: 'https://www.example.com/logo.svg',
  webhook_url: 'https://example.com/alerts',
  timeZone: 'Asia/Kolkata',
  heading: 'Georgia, serif',
  body: 'Inter, sans-serif',
  primary: '#1f6feb',
  accent: '#0b7a6f',
  background: '#ffffff',
  text: '#1b1f24',
  source: 'Inbound call',
  singular: 'lead',
  plural: 'leads',
}
export const brands: Readonly<Record<string, string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  'openai-compatible': 'OpenAI-compatible',
}

/** A text of a field, the most exact first: `exotel_url` for a setting of a provider; `telephony_sip_domain`, `sip_domain`, `domain`. */
export function textFor(texts: Texts, path: Path, owner: string | null = null): string | null {
  const keys = path.filter((key) => typeof key === 'string')
  const names = owner === null ? [keys.join('_'), keys.slice(-2).join('_'), keys.at(-1) ?? ''] : [`${owner}_${keys.at(-1)}`]
  const found = names.map((name) => (Object.hasOwn(texts, name) ? texts[name] : undefined)).find((text) => typeof text === 'string')
  return typeof found === 'string' ? found : null
}

/** `claimMinutes` as `Claim minutes`. */
function words(key: string): string {
  const spaced = key.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

/** The descriptions also speak to those who write JSON. */
function forPeople(description: string | null): string | null {
  return description && description.replaceAll('Null:', 'Empty:').replaceAll('null:', 'empty:')
}

export type FieldNames = {
  readonly label: (path: Path) => string
  readonly hint: (path: Path, field: Field) => string | null
  readonly example: (path: Path) => string | null
  /** A value of an enumeration. */
  readonly value: (value: string | number) => string
  readonly fault: (fault: Fault, path: Path) => string
}

/** The names of the section's fields and values in the person's language. Names of the platform's own fields are names everywhere. */
export function useFieldNames(slug: string): FieldNames {
  const labels = useLabelTexts()
  const texts = useFormTexts()
  const language = useStore(languageStore)
  const { number } = useFormats()
  const isName = (path: Path): boolean => slug === 'platform' && path.includes('fields') && path.at(-1) !== 'fields'
  const label = (path: Path): string => (isName(path) ? null : textFor(labels, [slug, ...path])) ?? words(String(path.at(-1) ?? ''))
  const example = (path: Path): string | null => (isName(path) ? null : textFor(examples, [slug, ...path]))
  const fault = (found: Fault, path: Path): string => {
    switch (found.kind) {
      case 'ENTRY':
        return texts.ENTRY(found.entry, fault(found.fault, path))
      case 'TWICE':
        return texts.TWICE(found.entry)
      case 'FORM': {
        const shown = example(path)
        return shown === null ? texts.FORM : texts.formSuchAs(shown)
      }
      case 'MISSING':
      case 'NUMBER':
      case 'INTEGER':
      case 'ADDRESS':
        return texts[found.kind]
      case 'AT_LEAST':
      case 'AT_MOST':
      case 'TOO_SHORT':
      case 'TOO_LONG':
      case 'TOO_MANY':
      case 'TOO_FEW':
        return texts[found.kind](number(found.limit))
    }
  }
  return {
    label,
    hint(path, { description, owner }) {
      const text = (language === 'hi' && !isName(path) ? textFor(hindiHints, [slug, ...path], owner) : null) ?? forPeople(description)
      return text === label(path) ? null : text
    },
    example,
    value: (value) => (typeof value === 'number' ? number(value) : (brands[value] ?? textFor(texts, [value]) ?? value)),
    fault,
  }
}
