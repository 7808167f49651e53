"""Words and what is known of them: stems, synonym sets, lemma names, traits, numbers."""
