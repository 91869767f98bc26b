import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Area } from '../areas/area.ts'
import { useMember } from '../session/session.ts'
import { useTheme } from '../data/theme.ts'
import { areasOf } from './areas.ts'
import { Mark } from './mark.tsx'
import { useShellTexts } from './shell-texts.ts'
import './entrance.css'

/** The areas of the member's role, with their screens. */
export function Navigation() {
  const texts = useShellTexts()
  const member = useMember()
  const { hospitalName, logoUrl } = useTheme()
  return (
    <nav aria-label={texts.navigation}>
      <div className="shell-brand">
        {logoUrl === null ? <Mark /> : <Logo key={logoUrl} address={logoUrl} />}
        <div>
          <p className="shell-brand-name">{hospitalName ?? texts.product}</p>
          <p className="shell-brand-workspace">{member.workspace.subdomain}</p>
        </div>
      </div>
      <div className="shell-areas">
        {areasOf(member).map((area) => (
          <AreaLinks key={area.id} area={area} />
        ))}
      </div>
    </nav>
  )
}

/** An address that shows no picture must not leave a hole. */
function Logo({ address }: { readonly address: string }) {
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return <Mark />
  return <img className="shell-logo" src={address} alt="" referrerPolicy="no-referrer" onError={() => setBroken(true)} />
}

function AreaLinks({ area: { id, title, screens, useTitles } }: { readonly area: Area }) {
  const titles = useTitles()
  return (
    <section aria-labelledby={`area-${id}`}>
      <h2 id={`area-${id}`} className="shell-area">
        {titles[title]}
      </h2>
      <ul>
        {screens.map(({ path, title: name, icon: Icon }) => (
          <li key={path}>
            <Link to={path} className="shell-link" activeOptions={{ exact: hasScreensBelow(path, screens) }}>
              <Icon aria-hidden="true" />
              {titles[name]}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** `/desk` is the screen of its own path only, because `/desk/callbacks` is another; a screen without others below it is that of all paths below. */
function hasScreensBelow(path: string, screens: Area['screens']): boolean {
  return screens.some((other) => other.path.startsWith(`${path}/`))
}
