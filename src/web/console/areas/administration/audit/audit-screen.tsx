import { ScrollText } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { type Pages, useListPages } from '../../../data/pages.ts'
import { Page } from '../../../ui/page.tsx'
import { PagedTable } from '../../../data/paged-table.tsx'
import { AuditFilters, type Choice, everything } from './audit-filters.tsx'
import { type Choosing, useAuditColumns } from './columns.tsx'
import { auditDocument, type AuditEntry, type AuditLog } from './entries.ts'
import { useAuditTexts } from './texts.ts'

/** Who did what, and when. */
export function AuditScreen() {
  const texts = useAuditTexts()
  const [choice, setChoice] = useState(everything)
  const change = useCallback((part: Partial<Choice>) => setChoice((before) => ({ ...before, ...part })), [])
  const pages = useListPages({ document: auditDocument, variables: variablesOf(choice), listOf })
  const choosing = useMemo<Choosing>(
    () => ({ onPerson: (person) => change({ person }), onTarget: (target) => change({ target }) }),
    [change],
  )
  return (
    <Page isWide title={texts.title} lead={texts.lead}>
      <AuditFilters choice={choice} onChange={change} />
      <AuditTable pages={pages} isFiltered={choice !== everything} choosing={choosing} />
    </Page>
  )
}

function listOf({ auditLog }: AuditLog): AuditLog['auditLog'] {
  return auditLog
}

const dayMs = 86_400_000

/** Days are those of the person who looks. */
function variablesOf({ person, target, subject, from, to }: Choice) {
  const [first, last] = [startOf(from), startOf(to)]
  return {
    ...(person && { memberId: person.id }),
    ...(target && { targetId: target.id }),
    ...(subject !== 'ALL' && { action: subject }),
    ...(first !== null && { from: new Date(first).toISOString() }),
    ...(last !== null && { to: new Date(last + dayMs).toISOString() }),
  }
}

/** Null for an empty or unfinished date. */
function startOf(day: string): number | null {
  const at = Date.parse(`${day}T00:00:00`)
  return Number.isNaN(at) ? null : at
}

type TableProps = { readonly pages: Pages<AuditEntry>; readonly isFiltered: boolean; readonly choosing: Choosing }

function AuditTable({ pages, isFiltered, choosing }: TableProps) {
  const texts = useAuditTexts()
  const columns = useAuditColumns(choosing)
  return (
    <PagedTable
      label={texts.title}
      pages={pages}
      columns={columns}
      empty={{
        icon: <ScrollText />,
        title: isFiltered ? texts.noneFits : texts.none,
        text: isFiltered ? texts.noneFitsText : texts.noneText,
      }}
    />
  )
}
