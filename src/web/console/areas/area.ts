import type { Member } from '@call-center-sidecar/client'
import type { LinkProps } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'

/** A screen in the navigation. */
export type Screen<Title extends string> = {
  readonly path: NonNullable<LinkProps['to']>
  readonly title: Title
  readonly icon: LucideIcon
  readonly keys?: string
  /** Left out: for everybody whom the area is for. */
  readonly isFor?: (member: Pick<Member, 'role' | 'agent'>) => boolean
}

/** A group of screens, and for whom they are. Its routes are in `routes.ts` beside it. */
export type Area<Title extends string = string> = {
  readonly id: string
  readonly title: Title
  /** Names of texts: the navigation shows them in the person's language. */
  readonly useTitles: () => Readonly<Record<Title, string>>
  readonly screens: readonly Screen<Title>[]
  readonly isFor: (member: Pick<Member, 'role' | 'agent'>) => boolean
}

/** Checks that every title is a text of the area. */
export function defineArea<Title extends string>(area: Area<Title>): Area {
  return area
}
