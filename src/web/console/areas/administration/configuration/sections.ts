import { Bell, Database, MessageCircle, Palette, Phone, Sparkles } from 'lucide-react'

/** The sections of the configuration, in the order in which they are shown. `slug` is in the address of their screen. */
export const sections = [
  { name: 'TELEPHONY', slug: 'telephony', icon: Phone },
  { name: 'AI', slug: 'ai', icon: Sparkles },
  { name: 'ALERTS', slug: 'alerts', icon: Bell },
  { name: 'WIDGET', slug: 'widget', icon: MessageCircle },
  { name: 'THEME', slug: 'theme', icon: Palette },
  { name: 'PLATFORM', slug: 'platform', icon: Database },
] as const

export type Section = (typeof sections)[number]
export type SectionName = Section['name']

export function sectionOfSlug(slug: string): Section | null {
  return sections.find((section) => section.slug === slug) ?? null
}
