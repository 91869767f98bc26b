import type { ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { Menu as AriaMenu, MenuItem, MenuSection, MenuTrigger } from 'react-aria-components/Menu'
import { Header } from 'react-aria-components/Header'
import { Popover } from 'react-aria-components/Popover'
import { Check } from 'lucide-react'
import './select.css'

export type MenuEntry = {
  readonly id: string
  readonly label: string
  readonly icon?: ReactNode
  /** A check mark: it is the chosen one of its group. */
  readonly isChosen?: boolean
  readonly onAction: () => void
}
export type MenuGroup = { readonly id: string; readonly title: string; readonly entries: readonly MenuEntry[] }

/** A button that opens actions in groups. `trigger` is the content of the button, and its name; `label` is the name of the menu. */
export function Menu({
  label,
  trigger,
  groups,
  look = 'ui-menu-trigger',
}: {
  readonly label: string
  readonly trigger: ReactNode
  readonly groups: readonly MenuGroup[]
  readonly look?: string
}) {
  return (
    <MenuTrigger>
      <Button className={look}>{trigger}</Button>
      <Popover className="ui-popover" placement="bottom end">
        <AriaMenu className="ui-menu" aria-label={label}>
          {groups.map(({ id, title, entries }) => (
            <MenuSection key={id}>
              <Header className="ui-menu-section">{title}</Header>
              {entries.map((entry) => (
                <MenuItem
                  key={entry.id}
                  id={`${id}-${entry.id}`}
                  className="ui-menu-item"
                  textValue={entry.label}
                  onAction={entry.onAction}
                >
                  {entry.icon}
                  <span className="ui-menu-label">{entry.label}</span>
                  {entry.isChosen === true && <Check aria-hidden="true" />}
                </MenuItem>
              ))}
            </MenuSection>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}
