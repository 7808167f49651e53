# Formula for Homebrew; `python -m tools.release` fills in the words between @.
class Meteorlib < Formula
  include Language::Python::Virtualenv

  desc "METEOR 2005, METEOR 1.5, NLTK's METEOR and others, each labeled"
  homepage "@HOMEPAGE@"
  url "@URL@"
  sha256 "@SHA256@"
  license all_of: [
    "MIT",
    "BSD-3-Clause",
    "LGPL-2.1-only",
    "LicenseRef-WordNet-3.0",
    "CC-BY-SA-4.0",
  ]

  depends_on "libyaml"
  depends_on "numpy"
  depends_on "python@3.13"

  # @RESOURCES@

  def install
    ENV["METEORLIB_REQUIRE_COMPILED"] = "1"
    virtualenv_install_with_resources
    generate_completions_from_executable(bin/"meteorlib", "completion")
  end

  test do
    (testpath/"hypothesis").write "the cat sat on the mat\n"
    (testpath/"reference").write "on the mat sat the cat\n"
    assert_match "score", shell_output("#{bin}/meteorlib score hypothesis -r reference -f tsv")
    system bin/"meteorlib", "verify"
  end
end
