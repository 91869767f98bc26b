import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import type { Area } from '../areas/area.ts'
import { EmptyState } from '../ui/states.tsx'
import { Page } from '../ui/page.tsx'
import { useShellTexts } from './shell-texts.ts'

export function NoSuchPage() {
  const texts = useShellTexts()
  return (
    <Page title={texts.noPage}>
      <EmptyState icon={<Compass />} title={texts.noPageAdvice}>
        <Link to="/">{texts.toStart}</Link>
      </EmptyState>
    </Page>
  )
}

/** An area that the member's role does not open. */
export function NotForYou({ area: { useTitles, title } }: { readonly area: Area }) {
  const texts = useShellTexts()
  const area = useTitles()[title] ?? title
  return (
    <Page title={texts.notForYou(area)}>
      <EmptyState icon={<Compass />} title={texts.notForYouAdvice}>
        <Link to="/">{texts.toStart}</Link>
      </EmptyState>
    </Page>
  )
}

/** A member without an agent record who manages nothing. */
export function NothingForYou() {
  const texts = useShellTexts()
  return (
    <Page title={texts.nothing}>
      <EmptyState icon={<Compass />} title={texts.nothingAdvice} />
    </Page>
  )
}
