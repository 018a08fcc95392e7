# A formula for a tap of your own: several dependencies are published as wheels alone, so they are no resources
# that Homebrew could build. pip takes the files whose hashes stand in the source.
class Lexls < Formula
  desc "${title}"
  homepage "${homepage}"
  url "${repository}/releases/download/v${version}/lexls-${version}.tar.gz"
  sha256 "${sha256}"
  license "${license}"

  depends_on "python@3.13"

  on_macos do
    depends_on arch: :arm64
  end

  # The libraries in wheels have no room for the longer names that Homebrew would write into them.
  preserve_rpath

  def install
    system Formula["python@3.13"].opt_bin/"python3.13", "-m", "venv", libexec
    pip = [libexec/"bin/python", "-m", "pip", "install"]
    system(*pip, "--only-binary=:all:", "--require-hashes",
           "-r", "supply/requirements.txt", "-r", "supply/build-requirements.txt")
    system(*pip, "--no-deps", "--no-build-isolation", ".")
    bin.install_symlink libexec/"bin/lexls"
  end

  test do
    (testpath/"matter/library/hill.md").write <<~MARKDOWN
      ---
      title: Hill v Dale
      citation: "[2001] UKHL 5"
      kind: case
      ---
      1. A hill is no dale.

      2. A dale is no hill.
    MARKDOWN
    (testpath/"matter/lexls.toml").write "jurisdiction = \"UK\"\n"
    (testpath/"matter/draft.md").write "See Hill v Dale [2001] UKHL 5 at [9].\n"
    assert_match "there is no [9]", shell_output("cd matter && #{bin}/lexls check draft.md", 1)
  end
end
