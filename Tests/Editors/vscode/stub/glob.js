'use strict';
// Globs of paths, as far as the settings use them: `**`, `*`, `?` and `{a,b}`.

/** A regular expression for whole paths. */
function globPattern(glob) {
  const parts = glob.split(/(\*\*\/|\*\*|\*|\?|\{[^}]*\})/).map((part) => {
    if (part === '**/') return '(?:.*/)?';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    if (part.startsWith('{')) return `(?:${part.slice(1, -1).split(',').map(literal).join('|')})`;
    return literal(part);
  });
  return new RegExp(`^/?${parts.join('')}$`);
}

const literal = (text) => text.replace(/[.+^$()|[\]\\]/g, '\\$&');

module.exports = { globPattern };
