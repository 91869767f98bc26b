import { Bell, Database, type LucideIcon, MessageCircle, Palette, Phone, Sparkles } from 'lucide-react'
import type { EnumOf } from '../../../data/graphql.ts'
import { keysOf } from '../../../data/keys.ts'

export type SectionName = EnumOf<'ConfigurationSection'>
/** `slug` is in the address of its screen. */
export type Section = { readonly name: SectionName; readonly slug: string; readonly icon: LucideIcon }

/** The sections of the configuration, in the order in which they are shown. */
const facts: Readonly<Record<SectionName, Omit<Section, 'name'>>> = {
  TELEPHONY: { slug: 'telephony', icon: Phone },
  AI: { slug: 'ai', icon: Sparkles },
  ALERTS: { slug: 'alerts', icon: Bell },
  WIDGET: { slug: 'widget', icon: MessageCircle },
  THEME: { slug: 'theme', icon: Palette },
  PLATFORM: { slug: 'platform', icon: Database },
}
export const sections: readonly Section[] = keysOf(facts).map(sectionOf)

export function sectionOf(name: SectionName): Section {
  return { name, ...facts[name] }
}

export function sectionOfSlug(slug: string): Section | null {
  return sections.find((section) => section.slug === slug) ?? null
}
