import { useMemo } from 'react'
import { Button } from 'react-aria-components/Button'
import { useFormats } from '../../../i18n/format.ts'
import type { Column } from '../../../ui/table.tsx'
import { useSectionTexts } from '../configuration/section-texts.ts'
import { sectionOfSlug } from '../configuration/sections.ts'
import { textOf } from '../dead-letters/texts.ts'
import { useSetupTexts } from '../setup/texts.ts'
import { useTelephonyProviders } from '../telephony-providers.ts'
import { Details, isConstant } from './details.tsx'
import type { AuditEntry } from './entries.ts'
import { useActionTexts, useAuditTexts } from './texts.ts'
import '../rows.css'
import './audit.css'

export type Named = { readonly id: string; readonly name: string }
export type Choosing = { readonly onPerson: (person: Named) => void; readonly onTarget: (target: Named) => void }

export function useAuditColumns({ onPerson, onTarget }: Choosing): readonly Column<AuditEntry>[] {
  const texts = useAuditTexts()
  const actions = useActionTexts()
  const { second } = useFormats()
  const { nameOf } = useTelephonyProviders()
  return useMemo(
    () => [
      { id: 'when', title: texts.when, cell: ({ at }) => <time dateTime={at}>{second(at)}</time> },
      { id: 'who', title: texts.who, cell: ({ actor }) => <Person actor={actor} onPerson={onPerson} /> },
      {
        id: 'action',
        title: texts.action,
        isHeading: true,
        cell: ({ action }) => <span className="admin-strong">{textOf(actions, action)}</span>,
      },
      { id: 'target', title: texts.target, cell: (entry) => <Target entry={entry} providerName={nameOf} onTarget={onTarget} /> },
      { id: 'details', title: texts.details, cell: (entry) => <Details entry={entry} /> },
    ],
    [texts, actions, second, nameOf, onPerson, onTarget],
  )
}

function Person({ actor: { memberId, name, ip }, onPerson }: Pick<AuditEntry, 'actor'> & Pick<Choosing, 'onPerson'>) {
  const texts = useAuditTexts()
  const shown = name ?? texts.unknownPerson
  return (
    <div className="admin-stack admin-who">
      {memberId === null ? (
        <span>{shown}</span>
      ) : (
        <Button className="admin-link" aria-label={texts.onlyPerson(shown)} onPress={() => onPerson({ id: memberId, name: shown })}>
          {shown}
        </Button>
      )}
      {ip !== null && <span className="admin-minor numbers">{ip}</span>}
    </div>
  )
}

type TargetProps = Pick<Choosing, 'onTarget'> & { readonly entry: AuditEntry; readonly providerName: (id: string) => string }

function Target({ entry: { targetId, targetName }, providerName, onTarget }: TargetProps) {
  const texts = useAuditTexts()
  const nameOf = useTargetNames(providerName)
  if (targetId === null) return null
  const name = targetName ?? nameOf(targetId)
  return (
    <Button className="admin-link admin-target" aria-label={texts.onlyTarget(name)} onPress={() => onTarget({ id: targetId, name })}>
      {name}
    </Button>
  )
}

/** What has no name in the log: a section, a step of the setup, a provider. Else its ID is its name. */
function useTargetNames(providerName: (id: string) => string): (id: string) => string {
  const sections = useSectionTexts()
  const steps = useSetupTexts()
  return (id) => {
    const section = sectionOfSlug(id)
    if (section) return sections[section.name]
    return isConstant.test(id) ? textOf(steps, id) : providerName(id)
  }
}
