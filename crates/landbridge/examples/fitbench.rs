//! scratch
use landbridge::data::synthetic::*;
use landbridge::geometry::affinity::Weights;
use landbridge::method::InstanceAlignment;
fn main() {
    let n = 20000;
    for (name, data) in [
        ("lifted", LiftedCopies::new(n).intrinsic(8).clusters(10).features([50usize, 50]).generate().unwrap()),
        ("swiss", SwissRolls::new(n).generate().unwrap()),
        ("chain", ThinChains::new(n).generate().unwrap()),
    ] {
        for d in [10, 100] {
            let pairs = data.pairs(1000, 0).unwrap();
            let t = std::time::Instant::now();
            let a = InstanceAlignment::new(d).weights(Weights::Binary).fit(&data.datasets, &pairs).unwrap();
            let o = a.outcome();
            println!(
                "{name} d={d}: {:.2?} {} res {:.1e} it {} comps {} {:?} lam {:.3e}..{:.3e}",
                t.elapsed(),
                o.solver,
                o.residual,
                o.iterations,
                o.components,
                o.seconds.iter().map(|s| format!("{} {:.2}", s.name, s.seconds)).collect::<Vec<_>>(),
                a.eigenvalues()[0],
                a.eigenvalues()[d - 1]
            );
        }
    }
}
